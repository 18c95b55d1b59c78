import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { handleOAuthUserInfo } from "better-auth/oauth2";
import { canarySecret } from "test-kit/canary";
import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

/** Endpoints without a path, as the engine offers for server code (`createAuthEndpoint.serverOnly`). */
const serverOnly = {
	id: "server-only",
	endpoints: {
		seen: createAuthEndpoint.serverOnly({ method: "POST" }, async (ctx) => ({
			providers: ctx.context.socialProviders.map(({ id }) => id),
			trusted: ctx.context.trustedProviders,
			strategy: ctx.context.oauthConfig.storeStateStrategy,
			skipCookie: ctx.context.oauthConfig.skipStateCookieCheck ?? false,
		})),
		tokens: createAuthEndpoint.serverOnly({ method: "POST" }, async (ctx) => {
			const { userId } = ctx.body as { userId: string };
			return (await ctx.context.internalAdapter.findAccounts(userId)).map(({ providerId, accessToken }) => [
				providerId,
				accessToken,
			]);
		}),
		arrive: createAuthEndpoint.serverOnly({ method: "POST" }, async (ctx) => {
			const { email } = ctx.body as { email: string };
			const answer = await handleOAuthUserInfo(ctx, {
				userInfo: { id: "rogue-1", email, name: "Mallory", emailVerified: false },
				account: { providerId: "gitlab", accountId: "rogue-1" },
				callbackURL: "/",
			} as never);
			return { error: answer.error, userId: (answer.data as { user?: { id: string } } | null)?.user?.id ?? null };
		}),
	},
} satisfies BetterAuthPlugin;

const world = async () => {
	const shown: string[] = [];
	const made = await createWorld({
		plugins: [serverOnly],
		tenantAuth: {
			resolveTenantId: ({ path }) => {
				shown.push(path);
				return null;
			},
		},
		engine: {
			socialProviders: {
				gitlab: { clientId: "global", clientSecret: canarySecret("global"), issuer: "https://gitlab.invalid" },
			},
			account: {
				accountLinking: { enabled: true, trustedProviders: ["gitlab"] },
				skipStateCookieCheck: true,
				storeStateStrategy: "cookie",
			},
		},
	});
	// the world does not infer the types of its plugins
	const api = made.auth.api as unknown as Record<
		keyof typeof serverOnly.endpoints,
		(given: object) => Promise<unknown>
	>;
	return { ...made, shown, api };
};

it("an endpoint without a path uses its tenant's providers, and trusts none by name", async () => {
	const { api, newTenant } = await world();
	const tenantId = await newTenant();
	const seen = await runWithTenant(tenantId, () => api.seen({}));
	expect(seen).toEqual({ providers: ["gitlab"], trusted: [], strategy: "database", skipCookie: false });
});

it("an endpoint without a path links no account because its provider's name is trusted", async () => {
	const { api, newTenant, signUp, call, database } = await world();
	const tenantId = await newTenant();
	const browser = await signUp(tenantId, "ada@example.com");
	const { user } = (await call("/get-session", { browser })).json;
	await database.query(`update "user" set "emailVerified" = 1`);
	const arrived = await runWithTenant(tenantId, () => api.arrive({ body: { email: "ada@example.com" } }));
	expect(arrived, `Ada is ${user.id}`).toEqual({ error: "account not linked", userId: null });
});

it("an endpoint without a path does not return tokens of another authority", async () => {
	const { api, newTenant, signUp, call, database } = await world();
	const tenantId = await newTenant();
	const browser = await signUp(tenantId, "ada@example.com");
	const { user } = (await call("/get-session", { browser })).json;
	// linked while the tenant had its own server, which it no longer has
	await database.query(
		`insert into "account" ("id", "accountId", "providerId", "userId", "tenantId", "accessToken", "createdAt", "updatedAt") values ('acc-1', 'https://other.invalid#rogue-1', 'gitlab', '${user.id}', '${tenantId}', 'token-of-another-authority', '2026-01-01', '2026-01-01')`,
	);
	const tokens = await runWithTenant(tenantId, () => api.tokens({ body: { userId: user.id } }));
	expect(tokens).toContainEqual(["gitlab", null]);
});

it("passes a resolver the same path as before", async () => {
	const { api, shown } = await world();
	await api.seen({});
	expect(shown).toEqual(["/"]);
});
