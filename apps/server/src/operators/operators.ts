import { runWithTransaction } from "@better-auth/core/context";
import { PLATFORM, runWithTenant } from "better-auth-tenants";
import type { Config } from "../config/config.ts";
import { type Engine, findOperators, type Operator, type Row, showOperator } from "./find-operators.ts";

type Change = "operator:disable" | "operator:enable" | "operator:remove" | "operator:reset";

type OperatorsWith = {
	engine: Promise<Engine>;
	management: Pick<Config["management"], "roles" | "userIds">;
	/** what a change says to the audit log */
	note: (action: Change, userId: string) => Promise<void>;
};

/**
 * The operators of a service: platform users with a role of MANAGEMENT_ROLES, or an id of MANAGEMENT_USER_IDS. A change returns
 * null if no operator has the email.
 */
export const createOperators = ({ engine: started, management, note }: OperatorsWith) => {
	const onPlatform = async <Result>(act: (engine: Engine) => Promise<Result>): Promise<Result> => {
		const engine = await started;
		return runWithTenant(PLATFORM, () => act(engine));
	};

	/** Runs in one transaction, after it was noted: what cannot be noted does not happen. */
	const change = (
		email: string,
		action: Change,
		act: (engine: Engine, userId: string) => Promise<unknown>,
	): Promise<Operator | null> =>
		onPlatform(async (engine) => {
			const row = (await findOperators(engine, management)).find((one) => one.email === email.toLowerCase());
			if (!row) return null;
			const userId = String(row.id);
			await note(action, userId);
			await runWithTransaction(engine.adapter, () => act(engine, userId));
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
		disable: (email: string) => change(email, "operator:disable", disable),
		enable: (email: string) => change(email, "operator:enable", (engine, userId) => update(engine, userId, NOT_BANNED)),
		/** Deletes the user, with all ways in. */
		remove: (email: string) => change(email, "operator:remove", remove),
		/** Sets a new password, removes all other ways in, and ends all sessions. */
		reset: (email: string, password: string) =>
			change(email, "operator:reset", (engine, userId) => reset(engine, userId, password)),
	};
};

const NOT_BANNED = { banned: false, banReason: null, banExpires: null };

const update = ({ internalAdapter }: Engine, userId: string, changes: object): Promise<unknown> =>
	internalAdapter.updateUser(userId, { ...changes, updatedAt: new Date() });

const disable = async (engine: Engine, userId: string): Promise<void> => {
	await update(engine, userId, { banned: true, banReason: "Disabled by an operator", banExpires: null });
	await engine.internalAdapter.deleteUserSessions(userId);
};

const remove = async (engine: Engine, userId: string): Promise<void> => {
	await endOtherWaysIn(engine, userId);
	await engine.internalAdapter.deleteUser(userId);
	await engine.internalAdapter.deleteUserSessions(userId);
};

const reset = async (engine: Engine, userId: string, password: string): Promise<void> => {
	const { internalAdapter, tables } = engine;
	await endOtherWaysIn(engine, userId);
	await update(engine, userId, "twoFactor" in tables ? { twoFactorEnabled: false } : {});
	const hash = await engine.password.hash(password);
	const accounts = await internalAdapter.findAccounts(userId);
	if (accounts.some(({ providerId }) => providerId === "credential"))
		await internalAdapter.updatePassword(userId, hash);
	else await internalAdapter.createAccount({ userId, providerId: "credential", accountId: userId, password: hash });
	await internalAdapter.deleteUserSessions(userId);
};

/** Second factor, passkeys, and what names the user first: links that were mailed, trusted devices and challenges. */
const endOtherWaysIn = async ({ adapter, tables }: Engine, userId: string): Promise<void> => {
	for (const model of ["twoFactor", "passkey"])
		if (model in tables) await adapter.deleteMany({ model, where: [{ field: "userId", value: userId }] });
	await adapter.deleteMany({
		model: "verification",
		where: [{ field: "value", operator: "starts_with", value: userId }],
	});
};
