import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { generateRandomString } from "better-auth/crypto";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { runInTenant } from "../../scope/pin/tenant-context.ts";
import { findPolicies } from "../policy/policies.ts";
import { changesBetween, type Database, rowsOf, type Snapshot } from "./database.ts";
import { plantCanaries } from "./made-up-rows.ts";
import type { TenantIsolationAuth, TenantIsolationOptions } from "./options.ts";
import type { Send } from "./send.ts";
import { setUpSecondFactor } from "./set-up-second-factor.ts";
import type { TenantIsolationSide } from "./side.ts";
import { signUpUser } from "./sign-up-user.ts";
import { PROVIDER } from "./values.ts";

type TenantApi = {
	createTenant: (call: { body: { name: string; slug: string } }) => Promise<{ id: string }>;
	deleteTenant: (call: { body: { tenantId: string } }) => Promise<unknown>;
	addTenantDomain: (call: { body: { tenantId: string; domain: string } }) => Promise<unknown>;
	registerTenantOauthConfig: (call: {
		body: { tenantId: string; providerId: string; clientId: string; clientSecret: string };
	}) => Promise<unknown>;
};

/** Lower-case letters and digits, so it can be part of a slug, a username or an email address. */
const newCanary = (): string => `c${generateRandomString(9, "a-z", "0-9")}`;

/** The management endpoints, called as trusted server code. */
export const tenantApiOf = (auth: TenantIsolationAuth): TenantApi => {
	if (!("createTenant" in auth.api))
		throw new BetterAuthError(
			"assertTenantIsolation: Better Auth has no tenantAuth() plugin. Add it: plugins: withTenants({}, [yours()]).",
		);
	return auth.api as TenantApi;
};

type MakeWith = {
	auth: TenantIsolationAuth;
	context: AuthContext;
	database: Database;
	send: Send;
	options: TenantIsolationOptions;
};

/**
 * Creates two tenants and the platform's side, with two users each. All sides use the same emails. Calls `onSide` for
 * each.
 */
export const makeSides = async (
	{ auth, context, database, send, options }: MakeWith,
	onSide: (side: TenantIsolationSide) => void,
): Promise<void> => {
	const api = tenantApiOf(auth);
	const emails = ["ada", "bob"].map((name) => `${name}.${newCanary()}@example.com`);
	const [nameA = "A", nameB = "B"] = options.tenants ?? [];
	for (const [label, name] of [
		["A", nameA],
		["B", nameB],
		["platform", ""],
	] as const) {
		const canary = newCanary();
		const side: TenantIsolationSide = {
			label,
			tenantId: PLATFORM,
			slug: `${canary}-slug`,
			canary,
			users: [],
			rows: {},
			tokens: [],
		};
		if (label !== "platform") {
			const tenant = await api.createTenant({ body: { name: `${name} ${canary}`, slug: side.slug } });
			side.tenantId = String(tenant.id);
		}
		onSide(side);
		const password = passwordFor(context, canary);
		for (const email of emails) {
			const user = { tenantId: side.tenantId, email, name: `${canary}name`, password };
			side.users.push(await signUpUser({ auth, context, send, signUp: options.signUp }, side, user));
		}
		await plantCanaries(context, side);
		// after the roles are set, because a tenant may require second factors of administrators only
		for (const [index, user] of side.users.entries()) {
			const completed = await setUpSecondFactor({ auth, context, send }, side, user, index > 0);
			side.users[index] = completed.user;
			side.tokens.push(...completed.backupCodes.map((value) => ({ purpose: "backup code", value })));
			const { userId, token } = completed.user;
			// the last is Better Auth's mark, since 1.7.16, that earlier sessions are revoked
			const keys = [`active-sessions-${userId}`, `revoked-sessions-before-${userId}`];
			database.watchStorage(side.tenantId, token ? [token, ...keys] : keys);
		}
		if (label !== "platform") {
			const credentials = { clientId: `${canary}client`, clientSecret: `${canary}secret` };
			const { tenantId } = side;
			await api.registerTenantOauthConfig({ body: { tenantId, providerId: PROVIDER, ...credentials } });
			await api.addTenantDomain({ body: { tenantId, domain: `${canary}.test` } });
		}
		side.rows = rowsOf(await database.read(), side.tenantId);
		await options.prepare?.(side);
	}
};

/** A password that Better Auth and the default policy of tenants allow. */
const passwordFor = (context: AuthContext, canary: string): string => {
	const { minPasswordLength, maxPasswordLength } = context.password.config;
	const rules = findPolicies(context)?.effective({});
	const shortest = Math.max(minPasswordLength, rules?.minPasswordLength ?? 0);
	const longest = Math.min(maxPasswordLength, rules?.maxPasswordLength || maxPasswordLength);
	return `${canary} Password 1!`.padEnd(shortest, canary).slice(0, longest);
};

/** Restores the database. */
export const removeSides = async (
	{ auth, context, database }: MakeWith,
	sides: TenantIsolationSide[],
	before: Snapshot,
): Promise<void> => {
	const api = tenantApiOf(auth);
	const tenants = sides.filter(({ tenantId }) => tenantId !== PLATFORM);
	await Promise.all(tenants.map(({ tenantId }) => api.deleteTenant({ body: { tenantId } })));
	for (const { tenantId, users } of sides.filter((side) => side.tenantId === PLATFORM))
		for (const { userId } of users)
			await runInTenant(tenantId, () => context.internalAdapter.deleteUserSessions(userId));
	await database.restore(before, changesBetween(before, await database.read()));
};
