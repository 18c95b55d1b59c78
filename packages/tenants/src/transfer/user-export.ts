import type { Account, User } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { runWithTenant } from "../scope/tenant-context.ts";
import { type ExportedUser, isCredential } from "./user-line.ts";

/** The engine stops at a hundred unless it is told where. */
const ALL = 2_147_483_647;

/** With the columns of the two-factor and the admin plugin, where they are composed. */
type UserRow = User & { twoFactorEnabled?: boolean | null; banned?: boolean | null; banExpires?: Date | null };

export type UserExport = ReturnType<typeof createUserExport>;

/** Users read at a time: their rows become objects in one go, and nobody else is served until they have. */
const AT_A_TIME = 100;

/** Reads one tenant's users in the order of their ids, through the scoped adapter. */
export const createUserExport =
	(adapter: DBAdapter) =>
	(tenantId: string, limit: number, after: string | null): Promise<ExportedUser[]> =>
		runWithTenant(tenantId, async () => {
			const users: ExportedUser[] = [];
			while (users.length < limit) {
				const left = limit - users.length;
				// a page is asked for with one more, which is not worth a statement
				const wanted = left > AT_A_TIME + 1 ? AT_A_TIME : left;
				const some = await readUsers(adapter, wanted, users.at(-1)?.id ?? after);
				users.push(...some);
				if (some.length < wanted) break;
			}
			return users;
		});

const readUsers = async (adapter: DBAdapter, limit: number, after: string | null): Promise<ExportedUser[]> => {
	const users = await adapter.findMany<UserRow>({
		model: "user",
		where: after === null ? [] : [{ field: "id", value: after, operator: "gt" }],
		sortBy: { field: "id", direction: "asc" },
		limit,
	});
	if (users.length === 0) return [];
	const accounts = await adapter.findMany<Account>({
		model: "account",
		where: [{ field: "userId", value: users.map(({ id }) => id), operator: "in" }],
		limit: ALL,
	});
	const byUser = new Map<string, Account[]>(users.map(({ id }) => [id, []]));
	for (const account of accounts) byUser.get(account.userId)?.push(account);
	return users.map((user) => showUser(user, byUser.get(user.id) ?? []));
};

/** Chosen fields, never the stored rows. */
const showUser = (user: UserRow, accounts: Account[]): ExportedUser => ({
	id: user.id,
	email: user.email,
	emailVerified: user.emailVerified,
	name: user.name,
	image: user.image ?? null,
	createdAt: user.createdAt,
	updatedAt: user.updatedAt,
	accounts: accounts.map(showAccount).sort((one, other) => (one.providerId < other.providerId ? -1 : 1)),
	...(user.twoFactorEnabled ? { twoFactorEnabled: true } : {}),
	...(isBanned(user) ? { banned: true } : {}),
});

const showAccount = ({ providerId, accountId, password }: Account): ExportedUser["accounts"][number] => ({
	providerId,
	accountId,
	...(isCredential(providerId) && password ? { password } : {}),
});

const isBanned = ({ banned, banExpires }: UserRow): boolean =>
	banned === true && (!banExpires || banExpires.getTime() > Date.now());
