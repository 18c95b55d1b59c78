import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { redisStorage } from "@better-auth/redis-storage";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { fromNodeHeaders } from "better-auth/node";
import { magicLink } from "better-auth/plugins/magic-link";
import { tenantAuth } from "better-auth-tenants";
import { fromSubdomain } from "better-auth-tenants/resolvers";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { answerCalls } from "test-kit/processes";
import { served } from "test-kit/served";
import { KEEP_ALIVE } from "test-kit/servers/keep-alive";
import { setGlobalDispatcher } from "undici";
import { errorPage, homePage, type Place, signInPage, strangerPage } from "./auth-pages.ts";
import { createLoopbackDispatcher } from "./loopback-dispatcher.ts";

// The test application in a separate process: the engine with tenantAuth() on PostgreSQL and Redis, and its pages.

export type Settings = {
	databaseURL: string;
	redisURL: string;
	redisPrefix: string;
	secret: string;
	managementKey: string;
	socialProviders: NonNullable<BetterAuthOptions["socialProviders"]>;
	/** the addresses and CA of Google and Apple */
	tls: { ca: string; port: number };
	/** each tenant has its own subdomain of localhost */
	hosts: boolean;
	/** the host that providers return to for all of them; null if they return to the tenant's host */
	callbackHost: string | null;
};

export type SentMail = { kind: "verify" | "reset" | "magic"; to: string; url: string };

/** Every mail that the application sent, with hosts only. */
const mails: SentMail[] = [];
const send =
	(kind: SentMail["kind"]) =>
	async ({ user, email, url }: { user?: { email: string }; email?: string; url: string }) => {
		mails.push({ kind, to: user?.email ?? email ?? "", url });
	};

/** The options of an application whose tenants have their own hosts. */
const ownHosts = (origin: string) => ({
	baseURL: { allowedHosts: [new URL(origin).host], fallback: origin, protocol: "http" as const },
	emailAndPassword: { enabled: true, requireEmailVerification: true, sendResetPassword: send("reset") },
	emailVerification: {
		sendOnSignUp: true,
		autoSignInAfterVerification: true,
		sendVerificationEmail: send("verify"),
	},
});

const buildAuth = (settings: Settings, baseURL: string, pool: Pool, redis: Redis) => {
	const options = {
		baseURL,
		database: pool,
		secondaryStorage: redisStorage({ client: redis, keyPrefix: settings.redisPrefix }),
		secret: settings.secret,
		socialProviders: settings.socialProviders,
		emailAndPassword: { enabled: true },
		...(settings.hosts ? ownHosts(baseURL) : {}),
		// the tests of one file come from one address, faster than a real user
		rateLimit: { enabled: false },
		plugins: [
			tenantAuth({
				management: { keys: [settings.managementKey] },
				// GitLab and Microsoft are on loopback
				oauth: { allowPrivateHosts: true, ...(settings.callbackHost ? { callbackHost: settings.callbackHost } : {}) },
				...(settings.hosts
					? {
							resolveTenantId: fromSubdomain({
								domain: "localhost",
								platformHosts: settings.callbackHost ? [settings.callbackHost] : [],
							}),
						}
					: {}),
			}),
			magicLink({ sendMagicLink: send("magic") }),
		],
	} satisfies BetterAuthOptions;
	return { auth: served(betterAuth(options)), migrate: async () => (await getMigrations(options)).runMigrations() };
};

type Auth = ReturnType<typeof buildAuth>["auth"];
type Page = { status: number; html: string };

const ok = (html: string): Page => ({ status: 200, html });

/** The pages of the application, by their path. */
const createPages = (auth: Auth, globalProviders: string[]) => {
	const providersOf = async (place: Place | null): Promise<string[]> => {
		if (!place) return globalProviders;
		const own = await auth.api.listTenantOauthConfigs({ query: { tenantId: place.id } });
		const enabled = own.filter((config) => config.enabled).map((config) => config.providerId);
		return [...new Set([...enabled, ...globalProviders])];
	};

	const home = async (headers: Headers): Promise<Page> => {
		const found = await auth.api.getSession({ headers });
		if (!found) return ok(strangerPage());
		const { tenantId } = found.session;
		const place = tenantId === "platform" ? null : await auth.api.getTenant({ query: { id: tenantId } });
		const accounts = (await auth.api.listUserAccounts({ headers })).sort((one, other) =>
			one.providerId.localeCompare(other.providerId),
		);
		const linked = new Set(accounts.map(({ providerId }) => providerId));
		const linkable = (await providersOf(place)).filter((id) => !linked.has(id));
		return ok(homePage({ user: found.user, place, accounts, linkable }));
	};

	return async (url: URL, headers: Headers): Promise<Page> => {
		const subdomain = /^([a-z0-9-]+)\.localhost$/.exec(url.hostname)?.[1];
		const slug = url.pathname === "/sign-in" ? subdomain : /^\/t\/([a-z0-9-]+)$/.exec(url.pathname)?.[1];
		if (slug) {
			const place = await auth.api.getTenant({ query: { slug } });
			return ok(signInPage(place, await providersOf(place)));
		}
		if (url.pathname === "/sign-in") return ok(signInPage(null, await providersOf(null)));
		if (url.pathname === "/home") return home(headers);
		if (url.pathname === "/failed") {
			return ok(errorPage(url.searchParams.get("error") ?? "none", url.searchParams.get("error_description")));
		}
		return { status: 404, html: errorPage("NOT_FOUND", null) };
	};
};

/** A browser shows the response to a form, so an error becomes a page. */
const showError = async (response: Response): Promise<Page> => {
	const body = await response.text();
	const { code, message } = JSON.parse(body || "{}") as { code?: string; message?: string };
	return { status: response.status, html: errorPage(code ?? String(response.status), message ?? null) };
};

const running: { close: () => Promise<unknown> }[] = [];

const start = async (settings: Settings) => {
	setGlobalDispatcher(createLoopbackDispatcher(settings.tls));
	const pool = new Pool({ connectionString: settings.databaseURL, max: 5 });
	const redis = new Redis(settings.redisURL);
	const server = createServer(KEEP_ALIVE);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	running.push(
		{ close: async () => server.close(() => {}).closeAllConnections() },
		{ close: () => pool.end() },
		{ close: () => redis.quit() },
	);

	// Not 127.0.0.1, which the identity providers use: to a browser both would be the same site.
	const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
	const { auth, migrate } = buildAuth(settings, origin, pool, redis);
	await migrate();
	const pages = createPages(auth, Object.keys(settings.socialProviders));

	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const url = new URL(request.url ?? "/", settings.hosts ? `http://${request.headers.host}` : origin);
		const headers = fromNodeHeaders(request.headers);
		const send = ({ status, html }: Page) =>
			response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html);
		if (!url.pathname.startsWith("/api/auth/")) return void send(await pages(url, headers));

		const body = request.method === "POST" ? await buffer(request) : null;
		const answered = await auth.handler(
			new Request(url, { method: request.method ?? "GET", headers, body: body && new Uint8Array(body) }),
		);
		if (answered.status >= 400 && headers.get("accept")?.includes("text/html")) {
			return void send(await showError(answered));
		}
		response.statusCode = answered.status;
		response.setHeaders(answered.headers);
		response.end(Buffer.from(await answered.arrayBuffer()));
	};

	server.on("request", (request, response) => {
		answer(request, response).catch((error: unknown) => {
			console.error(error);
			response.writeHead(500).end();
		});
	});
	return { origin };
};

const calls = { start, mails: async () => mails };
export type AuthServer = typeof calls;

answerCalls(calls, async () => {
	for (const part of running) await part.close();
});
