import type { DBAdapter } from "@better-auth/core/db/adapter";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { accountKey, type ImportedUser, isCredential } from "./user-line.ts";

export type Taken = Awaited<ReturnType<ReturnType<typeof createLookUp>>>;

/** The engine's default limit is 100 rows. */
const ALL = 2_147_483_647;

/** Finds which emails, ids and accounts of the users already exist. Runs three queries for any number of users. */
export const createLookUp =
	(raw: Pick<RawAdapter, "findMany">) => async (adapter: Pick<DBAdapter, "findMany">, users: ImportedUser[]) => {
		const find = async <Row>(from: Pick<DBAdapter, "findMany">, model: string, named: Record<string, string[]>) => {
			const where = Object.entries(named).map(([field, values]) => ({
				field,
				value: [...new Set(values)],
				operator: "in" as const,
			}));
			if (where.some(({ value }) => value.length === 0)) return [];
			return from.findMany<Row>({ model, where, select: Object.keys(named), limit: ALL });
		};
		const linked = users.flatMap(({ accounts }) => accounts.filter(({ providerId }) => !isCredential(providerId)));

		const emails = await find<{ email: string }>(adapter, "user", { email: users.map(({ email }) => email) });
		// user ids are unique across all tenants
		const ids = await find<{ id: string }>(raw, "user", { id: users.flatMap(({ id }) => id ?? []) });
		const accounts = await find<{ providerId: string; accountId: string }>(adapter, "account", {
			providerId: linked.map(({ providerId }) => providerId),
			accountId: linked.flatMap(({ accountId }) => accountId ?? []),
		});

		const taken = {
			emails: new Set(emails.map(({ email }) => email)),
			ids: new Set(ids.map(({ id }) => String(id))),
			accounts: new Set(accounts.map(accountKey)),
		};
		return {
			hasEmail: (email: string): boolean => taken.emails.has(email),
			hasId: (id: string): boolean => taken.ids.has(id),
			hasAccount: (account: ImportedUser["accounts"][number]): boolean =>
				!isCredential(account.providerId) && taken.accounts.has(accountKey(account)),
			/** Adds a user that was written in this batch. */
			add: (user: ImportedUser): void => {
				taken.emails.add(user.email);
				if (user.id !== undefined) taken.ids.add(user.id);
				for (const account of user.accounts) taken.accounts.add(accountKey(account));
			},
		};
	};
