import { type SSOOptions, sso } from "@better-auth/sso";
import type { BetterAuthOptions } from "better-auth";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import type { DatabaseKind } from "test-kit/databases";
import { ORIGIN } from "test-kit/world";
import { runWithTenant } from "../../../src/index.ts";
import type { registration } from "./openid-server.ts";

type SsoWorldOptions = { database?: DatabaseKind; options?: SSOOptions; engine?: Partial<BetterAuthOptions> };

/** Two tenants that may have identity providers. `origins` are loopback servers that the engine may call. */
export const ssoWorld = async (origins: string[], { database, options = {}, engine }: SsoWorldOptions = {}) => {
	const world = await composedWorld([sso(options)], {
		...(database ? { database } : {}),
		engine: { ...engine, trustedOrigins: origins },
	});
	const { call, ok } = world;
	const { adapter } = await world.auth.$context;
	const register = (tenant: string | undefined, body: object) =>
		call("/sso/register", { tenant, operator: tenant !== undefined, body });
	return {
		...world,
		register,
		/** Registers a provider with the management key. */
		registered: async (tenant: string, body: ReturnType<typeof registration> | object) => {
			const answer = await register(tenant, body);
			if (answer.status !== 200) throw new Error(`not registered: ${answer.text}`);
			return answer.json;
		},
		/** Marks a provider's domain as verified, as DNS would. */
		verifyDomain: async (tenant: string, providerId: string) =>
			runWithTenant(tenant, async () =>
				adapter.updateMany({
					model: "ssoProvider",
					where: [{ field: "providerId", value: providerId }],
					update: { domainVerified: true },
				}),
			),
		providersOf: async (tenant: string): Promise<string[]> =>
			(await ok("/sso/providers", { tenant, operator: true })).json.providers.map(({ providerId }) => providerId),
		/** Rows in all tenants. */
		count: async (model: string): Promise<number> => {
			const counts = [world.a, world.b].map((tenant) => runWithTenant(tenant, () => adapter.count({ model })));
			return (await Promise.all(counts)).reduce((sum, rows) => sum + rows, 0);
		},
		/** A browser that starts a sign-in. */
		begin: async (tenant: string | undefined, body: object = { providerId: "okta" }) => {
			const browser = new Browser();
			const answer = await call("/sign-in/sso", { tenant, browser, body: { callbackURL: "/home", ...body } });
			const url = new URL(answer.json?.url ?? `${ORIGIN}/none`);
			return { browser, url, state: url.searchParams.get("state") ?? "", answer };
		},
		whoami: async (browser: Browser) => (await ok("/get-session", { browser })).json?.user ?? null,
	};
};

export const callbackOf = (tenant: string, providerId = "okta"): string =>
	`${ORIGIN}/api/auth/tenants/${tenant}/sso/callback/${providerId}`;
