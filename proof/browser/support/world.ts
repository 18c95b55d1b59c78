import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import type { Browser, BrowserContext } from "playwright-core";
import { CANARY, canarySecret } from "test-kit/canary";
import { makeCertificates } from "test-kit/certificates";
import { startChromium } from "test-kit/chromium/start";
import { startProcess } from "test-kit/processes";
import { PUBLIC_HOSTS } from "test-kit/public-hosts";
import { createDatabase, type Database } from "test-kit/run-database";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type { Place } from "./auth-pages.ts";
import type { AuthServer } from "./auth-server.ts";
import type { IdentityServer, ProviderId, SeenTokenRequest } from "./identity-server.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const MANAGEMENT_KEY = "e2e-management-key-0123456789abcdef";

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Identity providers, an application and a browser for the tests of one file, closed afterwards. */
export const useWorld = (options: WorldOptions = {}): (() => World) => {
	let world: World;
	beforeAll(async () => {
		world = await startWorld(options);
	});
	// missing if the start failed, which closed everything itself
	afterAll(() => world?.close());
	return () => world;
};

type WorldOptions = {
	/** tenants that have their own subdomain of localhost, by slug */
	hosts?: string[];
	/** the one host that providers return to for all of them */
	callbackHost?: string;
};

const startWorld = async (options: WorldOptions) => {
	const started: (() => Promise<unknown>)[] = [];
	// last first: the application releases its database before it is dropped
	const endAll = async () => {
		const errors: unknown[] = [];
		for (const end of started.toReversed()) await end().catch((error: unknown) => errors.push(error));
		if (errors.length > 0) throw new AggregateError(errors, "Not everything ended cleanly");
	};
	try {
		return await buildWorld(options, started, endAll);
	} catch (error) {
		await endAll().catch(() => {});
		throw error;
	}
};

const buildWorld = async (
	{ hosts = [], callbackHost }: WorldOptions,
	started: (() => Promise<unknown>)[],
	endAll: () => Promise<void>,
) => {
	const database = await createDatabase();
	started.push(database.drop);
	const redisPrefix = `tenants-e2e-${randomBytes(6).toString("hex")}:`;
	const redis = new Redis(REDIS_URL);
	started.push(() => clearRedis(redis, redisPrefix));

	const certificates = makeCertificates(PUBLIC_HOSTS);
	const identity = startProcess<IdentityServer>(new URL("./identity-server.ts", import.meta.url));
	started.push(identity.stop);
	const { key, cert } = certificates;
	const providers = await identity.call("start", { key, cert });

	/** what each provider needs besides id and secret to reach its fake */
	const options: Record<ProviderId, Record<string, string | boolean>> = {
		gitlab: { issuer: providers.origin },
		microsoft: { authority: providers.origin, tenantId: providers.entraTenant, disableProfilePhoto: true },
		google: { accessType: "offline" },
		apple: {},
	};
	const ownGitlab = { issuer: providers.ownOrigin };
	const global = (provider: ProviderId) => ({
		clientId: `global-${provider}`,
		clientSecret: canarySecret(`global-${provider}`),
		...options[provider],
	});

	const application = startProcess<AuthServer>(new URL("./auth-server.ts", import.meta.url));
	started.push(application.stop);
	const { origin } = await application.call("start", {
		databaseURL: database.url,
		redisURL: REDIS_URL,
		redisPrefix,
		secret: "Vq8m2Lx5Tn0cR7wK3yH9dB4sJ6fZ1pGe",
		managementKey: MANAGEMENT_KEY,
		socialProviders: { gitlab: global("gitlab"), microsoft: global("microsoft") },
		tls: { ca: certificates.ca, port: providers.tlsPort },
		hosts: hosts.length > 0,
		callbackHost: callbackHost ?? null,
	});
	const originOf = (slug: string): string => origin.replace("localhost", `${slug}.localhost`);
	const sharedURI = (provider: ProviderId): string | null =>
		callbackHost ? `${origin.replace("localhost", callbackHost)}/api/auth/tenant/shared-callback/${provider}` : null;
	/** With a callback host, a client has one redirect URI only. */
	const redirectsOf = (provider: ProviderId, otherwise: string[]): string[] => {
		const shared = sharedURI(provider);
		return shared ? [shared] : otherwise;
	};
	for (const provider of ["gitlab", "microsoft"] as const) {
		await identity.call("addClient", {
			server: provider,
			name: "the application",
			clientId: `global-${provider}`,
			clientSecret: canarySecret(`global-${provider}`),
			redirectURIs: redirectsOf(
				provider,
				[origin, ...hosts.map(originOf)].flatMap((at) =>
					["/callback/", "/tenant/callback/"].map((path) => `${at}/api/auth${path}${provider}`),
				),
			),
		});
	}

	const browser = await startChromium({ port: providers.tlsPort, fingerprint: certificates.fingerprint });
	started.push(() => browser.close());

	const operator = async (path: string, body: Record<string, unknown>): Promise<unknown> => {
		const answer = await fetch(`${origin}/api/auth${path}`, {
			method: "POST",
			headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return answer.json();
	};

	return {
		origin,
		database,
		/** options of a GitLab that the application does not know */
		ownGitlab,
		newTenant: async (name: string): Promise<Place> =>
			(await operator("/tenant/create", { name, slug: name.toLowerCase() })) as Place,
		/** Creates a tenant's own client, known at the provider and registered with the application. */
		registerClient: async (tenant: Place, provider: ProviderId, given: ClientOptions = {}): Promise<string> => {
			const clientId = `${tenant.slug}-${provider}`;
			const clientSecret = canarySecret(clientId);
			const callback = `${origin}/api/auth/tenant/callback/${provider}`;
			await identity.call("addClient", {
				server: given.options === ownGitlab ? "ownGitlab" : provider,
				name: tenant.name,
				clientId,
				clientSecret,
				// the second is for the tenant's own server
				redirectURIs: redirectsOf(provider, [callback, `${callback}/${tenant.id}`]),
			});
			await operator("/tenant/oauth-config/register", {
				tenantId: tenant.id,
				providerId: provider,
				clientId,
				clientSecret,
				enabled: given.enabled ?? true,
				options: given.options ?? options[provider],
			});
			return clientId;
		},
		/** The requests to the identity providers while `act` runs: token requests and GitLab users, by client. */
		watch: async (act: () => Promise<unknown>): Promise<Seen> => {
			const before = await seenBy(identity);
			await act();
			const after = await seenBy(identity);
			return {
				tokens: after.tokens.slice(before.tokens.length),
				users: after.users.slice(before.users.length),
			};
		},
		/** A user with a separate browser, without cookies here or at any provider. */
		visitor: async (): Promise<Visitor> => createVisitor(await (await newBrowser(browser)).newPage(), origin),
		/** The one redirect URI of a provider on the callback host. */
		sharedURI,
		/** The origin of a tenant's own host. */
		originOf,
		/** Tabs of one browser, at the hosts of these tenants. */
		tabsAt: async (...slugs: string[]): Promise<Visitor[]> => {
			const context = await newBrowser(browser);
			return Promise.all(slugs.map(async (slug) => createVisitor(await context.newPage(), originOf(slug))));
		},
		/** Every mail that the application sent. */
		mails: () => application.call("mails"),
		/** Two tabs of one browser. */
		tabs: async (): Promise<[Visitor, Visitor]> => {
			const context = await newBrowser(browser);
			return [createVisitor(await context.newPage(), origin), createVisitor(await context.newPage(), origin)];
		},
		close: async (): Promise<void> => {
			const kept = await everythingKept(database, redis, redisPrefix);
			await endAll();
			expect(kept.filter((text) => text.includes(CANARY))).toEqual([]);
			expect(application.output.join("")).not.toContain(CANARY);
		},
	};
};

type ClientOptions = { enabled?: boolean; options?: Record<string, string | boolean> };

export type Seen = { tokens: SeenTokenRequest[]; users: string[] };

const seenBy = async (identity: ReturnType<typeof startProcess<IdentityServer>>): Promise<Seen> => ({
	tokens: await identity.call("tokenRequests"),
	users: await identity.call("userRequests"),
});

const newBrowser = async (browser: Browser): Promise<BrowserContext> => {
	const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, locale: "en-GB" });
	context.setDefaultTimeout(30_000);
	onTestFinished(() => context.close());
	return context;
};

const clearRedis = async (redis: Redis, prefix: string): Promise<void> => {
	const keys = await redis.keys(`${prefix}*`);
	if (keys.length > 0) await redis.del(...keys);
	await redis.quit();
};

/** All rows and values, which must not contain a readable client secret. */
const everythingKept = async (database: Database, redis: Redis, prefix: string): Promise<string[]> => {
	const tables = await database.query("select table_name from information_schema.tables where table_schema = 'public'");
	const rows = await Promise.all(tables.map(({ table_name }) => database.query(`select * from "${table_name}"`)));
	const values = await Promise.all((await redis.keys(`${prefix}*`)).map((key) => redis.get(key)));
	return [...rows.flat().map((row) => JSON.stringify(row)), ...values.map((value) => value ?? "")];
};
