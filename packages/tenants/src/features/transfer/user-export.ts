import type { Account, User } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { defineService } from "../../engine/service.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { type ExportedUser, isCredential } from "./user-line.ts";

/** The engine's default limit is 100 rows. */
const ALL = 2_147_483_647;

/** A user, with the columns of the two-factor and admin plugins if they are installed. */
type UserRow = User & { twoFactorEnabled?: boolean | null; banned?: boolean | null; banExpires?: Date | null };

export type UserExport = ReturnType<typeof createUserExport>;

/** Exports users. */
export const userExportOf = defineService<UserExport>("exportUsers");

/** Users per query. Converting rows to objects blocks the process, so other requests wait for it. */
const BATCH_SIZE = 100;

/** Reads a tenant's users, ordered by id, through the scoped adapter. */
export const createUserExport =
	(adapter: DBAdapter) =>
	(tenantId: string, limit: number, after: string | null): Promise<ExportedUser[]> =>
		runInKnownTenant(tenantId, async () => {
			const users: ExportedUser[] = [];
			while (users.length < limit) {
				const left = limit - users.length;
				// avoids a query for a single row: pages are read with one extra row
				const wanted = left > BATCH_SIZE + 1 ? BATCH_SIZE : left;
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

/** Selects the fields that the export contains. */
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
