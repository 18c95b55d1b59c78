import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { User } from "@better-auth/core/db";
import type { ApiKeyRule } from "../../../scope/data/api-key-guard.ts";
import type { SessionRule } from "../../../scope/sessions/pending-sessions.ts";
import type { Policies } from "../policies.ts";

type With = { policies: Pick<Policies, "of">; secondFactor: Pick<SessionRule, "ruleFor"> };

/**
 * Refuses the API keys of users who lack the second factor that the tenant requires, also keys from before. A user has what is
 * required if they set up a second factor, or can sign in with a passkey or SSO that the tenant trusts.
 */
export const createApiKeyRule = (context: AuthContext, { policies, secondFactor }: With): ApiKeyRule => {
	const count = async (model: string, where: { field: string; value: string | string[]; operator?: "in" }[]) =>
		model in context.tables ? (await getCurrentAdapter(context.adapter)).count({ model, where }) : 0;

	const hasSso = async (userId: string): Promise<boolean> => {
		const providers = (await context.internalAdapter.findAccounts(userId)).map(({ providerId }) => providerId);
		return (
			providers.length > 0 &&
			(await count("ssoProvider", [{ field: "providerId", value: providers, operator: "in" }])) > 0
		);
	};

	return async (tenantId, { user }) => {
		const required = await secondFactor.ruleFor(tenantId);
		if (required?.judge({ user: user as User & typeof user, proof: null }) !== "enroll") return false;
		const rules = await policies.of(tenantId);
		if (rules?.trustPasskeys && (await count("passkey", [{ field: "userId", value: user.id }])) > 0) return false;
		return !(rules?.trustSso && (await hasSso(user.id)));
	};
};

/**
 * Ends the API keys from before a user set up a second factor, if the tenant requires one: they were made without it. Needs the
 * column of `tenantAdmin()`.
 */
export const endKeysBeforeFactor =
	({ tables }: AuthContext, { policies, pin }: Pick<With, "policies"> & { pin: { current: () => string } }) =>
	async (changes: Record<string, unknown>) => {
		if (changes.twoFactorEnabled !== true || !tables.user?.fields.apiKeysSince) return;
		const rules = await policies.of(pin.current());
		if (!rules || rules.secondFactor === "optional") return;
		return { data: { ...changes, apiKeysSince: new Date() } };
	};
