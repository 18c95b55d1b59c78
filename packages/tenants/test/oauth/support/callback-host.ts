import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import type { IdentityProvider, Person } from "test-kit/identity-provider";
import type { Provider } from "test-kit/social";
import { type Answer, type CallOptions, MANAGEMENT_KEY, type WorldOptions } from "test-kit/world";
import { expect, onTestFinished } from "vitest";
import type { TenantAuthOptions } from "../../../src/index.ts";
import { firstOf, fromCustomDomain, fromSubdomain } from "../../../src/resolvers.ts";
import { createHostedWorld } from "../../resolve/support/hosted-world.ts";

export const CALLBACK_HOST = "auth.localhost";
export const BASE = `http://${CALLBACK_HOST}:3000/api/auth`;
export const ADA: Person = { sub: "ada-1", email: "ada@example.com", name: "Ada" };
export const EVE: Person = { sub: "eve-1", email: "eve@example.com", name: "Eve" };
export const sharedURI = (provider: string): string => `${BASE}/tenant/shared-callback/${provider}`;

/** The options of an application with one callback host. */
export const SHARED_HOST: TenantAuthOptions = {
	management: { keys: [MANAGEMENT_KEY] },
	resolveTenantId: firstOf(fromCustomDomain(), fromSubdomain({ domain: "localhost", platformHosts: [CALLBACK_HOST] })),
	oauth: { callbackHost: CALLBACK_HOST, allowPrivateHosts: true },
	tenantCache: { maxAge: 60 },
	deletion: { drainTime: 0 },
};

export type SharedWorld = Awaited<ReturnType<typeof createSharedWorld>>;

type Given = Omit<WorldOptions, "tenantAuth"> & { tenantAuth?: Partial<TenantAuthOptions> };

/** Acme and Globex at their hosts, with one redirect URI for both at each provider. */
export const createSharedWorld = async (idp: IdentityProvider, { engine, tenantAuth, ...more }: Given = {}) => {
	const clientSecret = canarySecret("shared");
	idp.addClient({ clientId: "shared", clientSecret, redirectURIs: [sharedURI("gitlab"), sharedURI("microsoft")] });
	const world = await createHostedWorld({
		...more,
		tenantAuth: { ...SHARED_HOST, ...tenantAuth },
		engine: {
			socialProviders: {
				gitlab: { clientId: "shared", clientSecret, ...idp.gitlab },
				microsoft: { clientId: "shared", clientSecret, ...idp.microsoft },
			},
			...engine,
		},
	});

	/** Starts a sign-in at a tenant's host. */
	const begin = async (
		host: string,
		{
			browser = new Browser(),
			provider = "gitlab",
			...body
		}: { browser?: Browser; provider?: Provider } & Record<string, unknown> = {},
	): Promise<{ browser: Browser; url: string; state: string }> => {
		const begun = await world.at(host, "/tenant/sign-in/social", {
			browser,
			body: { provider, callbackURL: "/home", errorCallbackURL: "/failed", ...body },
		});
		expect(begun.status, begun.text).toBe(200);
		return { browser, url: begun.json.url, state: stateOf(begun.json.url) };
	};
	/** Follows a redirect. A new browser by default: each host has cookies of its own. */
	const follow = (url: string | null, browser = new Browser(), options: CallOptions = {}): Promise<Answer> =>
		world.call(url ?? "", { browser, ...options });
	/** From the provider to the callback host. Returns the URL at the tenant's host. */
	const handOver = async (url: string, person: Person): Promise<URL> =>
		new URL((await follow(await idp.authorize(url, person))).location ?? "");
	/** A whole sign-in. */
	const signIn = async (host: string, person: Person, given: Parameters<typeof begin>[1] = {}) => {
		const { browser, url } = await begin(host, given);
		return { browser, answer: await follow((await handOver(url, person)).toString(), browser) };
	};
	/**
	 * Gives a tenant its own client at the application's GitLab, with the shared redirect URI. The test's GitLab is not gitlab.com,
	 * so a new config gets a redirect URI of its own.
	 */
	const registerOwn = async (tenantId: string, fields: Record<string, unknown> = {}): Promise<void> => {
		const [clientId, secret] = [`client-${tenantId}`, canarySecret(`client-${tenantId}`)];
		idp.addClient({ clientId, clientSecret: secret, redirectURIs: [sharedURI("gitlab")] });
		const body = { tenantId, providerId: "gitlab", clientId, clientSecret: secret, options: idp.gitlab, ...fields };
		const answer = await world.call("/tenant/oauth-config/register", { operator: true, body });
		expect(answer.status, answer.text).toBe(200);
		await world.database.query(`update "tenantOauthConfig" set "callback" = 'shared'`);
	};
	return {
		...world,
		registerOwn,
		begin,
		follow,
		handOver,
		signIn,
		users: () => world.database.query('select "email", "tenantId" from "user" order by "tenantId"'),
		redeemed: () => idp.tokenRequests.length,
		sessionAt: async (host: string, browser: Browser) => (await world.at(host, "/get-session", { browser })).json,
	};
};

export const stateOf = (url: string): string => new URL(url).searchParams.get("state") ?? "";

/** The same URL with another parameter. */
export const withParameter = (url: string | URL, name: string, value: string): string => {
	const changed = new URL(url);
	changed.searchParams.set(name, value);
	return changed.toString();
};

export const errorAt = ({ location }: Pick<Answer, "location">): string | null =>
	new URL(location ?? "", "http://nowhere.invalid").searchParams.get("error");

const createSignal = () => {
	let give = (): void => {};
	const promise = new Promise<void>((resolve) => {
		give = resolve;
	});
	return { promise, give };
};

/** Holds the next request to the provider's token endpoint, until the returned function is called. */
export const holdTokenRequest = (): { held: Promise<void>; release: () => void } => {
	const real = globalThis.fetch;
	const [held, release] = [createSignal(), createSignal()];
	const restore = () => {
		globalThis.fetch = real;
	};
	onTestFinished(restore);
	globalThis.fetch = Object.assign(async (...[input, init]: Parameters<typeof fetch>) => {
		if (String(input instanceof Request ? input.url : input).endsWith("/token")) {
			restore();
			held.give();
			await release.promise;
		}
		return real(input, init);
	}, real);
	return { held: held.promise, release: release.give };
};

/** The callback host's own error page: the request had no valid state. */
export const REFUSED = `${BASE}/error?error=state_mismatch`;
