import { runWithTransaction } from "@better-auth/core/context";
import { PLATFORM, runWithTenant } from "better-auth-tenants";
import type { Config } from "../config/config.ts";
import { type Engine, findOperators, type Operator, type Row, showOperator } from "./find-operators.ts";
import { endOtherWaysIn } from "./ways-in.ts";

type Change = "operator:disable" | "operator:enable" | "operator:remove" | "operator:reset";

type OperatorsWith = {
	engine: Promise<Engine>;
	management: Pick<Config["management"], "roles" | "userIds">;
	/** what a change says to the audit log */
	note: (action: Change, userId: string) => Promise<void>;
	/** Ends the sessions that an operator opened as somebody else, in all tenants. */
	endImpersonated: (userId: string) => Promise<void>;
	/** Waits for requests that began before a change. */
	settle: () => Promise<unknown>;
};

/** A service whose users cannot be disabled. */
class NotDisabled extends Error {
	override name = "NotDisabled";
}

/**
 * The operators of a service: platform users with a role of MANAGEMENT_ROLES, or an id of MANAGEMENT_USER_IDS. A change returns
 * null if no operator has the email.
 */
export const createOperators = ({ engine: started, management, note, endImpersonated, settle }: OperatorsWith) => {
	const onPlatform = async <Result>(act: (engine: Engine) => Promise<Result>): Promise<Result> => {
		const engine = await started;
		return runWithTenant(PLATFORM, () => act(engine));
	};

	/** Runs in one transaction, after it was noted: what cannot be noted does not happen. */
	const change = (email: string, action: Change, act: Act): Promise<Operator | null> =>
		onPlatform(async (engine) => {
			const row = (await findOperators(engine, management)).find((one) => one.email === email.toLowerCase());
			if (!row) return null;
			const userId = String(row.id);
			await note(action, userId);
			await runWithTransaction(engine.adapter, () => act(engine, userId, String(row.email)));
			if (action !== "operator:enable") {
				await endImpersonated(userId);
				// a sign-in that had checked the password before stores its session after it
				await settle();
				await engine.internalAdapter.deleteUserSessions(userId);
			}
			const where = [{ field: "id", value: userId }];
			return showOperator(engine, (await engine.adapter.findOne<Row>({ model: "user", where })) ?? row);
		});

	return {
		list: (): Promise<Operator[]> =>
			onPlatform(async (engine) => {
				const rows = await findOperators(engine, management);
				const all = await Promise.all(rows.map((row) => showOperator(engine, row)));
				return all.sort((a, b) => a.email.localeCompare(b.email));
			}),
		/** Ends all sessions and refuses further sign-ins, until `enable`. */
		disable: (email: string) =>
			onPlatform(async ({ tables }) => {
				if (!("banned" in (tables.user?.fields ?? {})))
					throw new NotDisabled("Without the admin plugin, nobody is disabled");
				return change(email, "operator:disable", disable);
			}),
		enable: (email: string) => change(email, "operator:enable", (engine, userId) => update(engine, userId, NOT_BANNED)),
		/** Deletes the user, with all ways in. */
		remove: (email: string) => change(email, "operator:remove", remove),
		/** Sets a new password, ends all other ways in, and all sessions. */
		reset: async (email: string, password: string) => {
			const hash = await (await started).password.hash(password);
			return change(email, "operator:reset", (engine, userId, address) => reset(engine, { userId, address, hash }));
		},
	};
};

type Act = (engine: Engine, userId: string, email: string) => Promise<unknown>;

const NOT_BANNED = { banned: false, banReason: null, banExpires: null };

const update = ({ internalAdapter }: Engine, userId: string, changes: object): Promise<unknown> =>
	internalAdapter.updateUser(userId, { ...changes, updatedAt: new Date() });

const disable: Act = async (engine, userId) => {
	await update(engine, userId, { banned: true, banReason: "Disabled by an operator", banExpires: null });
	await engine.internalAdapter.deleteUserSessions(userId);
};

const remove: Act = async (engine, userId, email) => {
	await endOtherWaysIn(engine, userId, email);
	await engine.internalAdapter.deleteUser(userId);
	await engine.internalAdapter.deleteUserSessions(userId);
};

type Reset = { userId: string; address: string; hash: string };

const reset = async (engine: Engine, { userId, address, hash }: Reset): Promise<void> => {
	const { internalAdapter, tables } = engine;
	await endOtherWaysIn(engine, userId, address);
	const fields = tables.user?.fields ?? {};
	await update(engine, userId, {
		...("twoFactorEnabled" in fields ? { twoFactorEnabled: false } : {}),
		...("phoneNumber" in fields ? { phoneNumber: null, phoneNumberVerified: false } : {}),
	});
	const accounts = await internalAdapter.findAccounts(userId);
	if (accounts.length > 0) await internalAdapter.updatePassword(userId, hash);
	else await internalAdapter.createAccount({ userId, providerId: "credential", accountId: userId, password: hash });
	await internalAdapter.deleteUserSessions(userId);
};
