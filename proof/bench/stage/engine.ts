import { redisStorage } from "@better-auth/redis-storage";
import { type Auth, type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { createTenantHandler, type TenantAuthOptions, tenantAuth } from "better-auth-tenants";
import type { Redis } from "ioredis";
import { Client, Pool } from "pg";
import { Browser } from "test-kit/browser";
import { cheapHash } from "test-kit/cheap-hash";
import { responseFloorOf } from "../../../packages/tenants/src/features/email/response-floor.ts";

export const ORIGIN = "http://localhost:3000";
/** The origin of a tenant with this slug, with `byHost`. */
export const originOf = (slug: string): string => ORIGIN.replace("//", `//${slug}.`);
export const PASSWORD = "correct horse battery";
export const MANAGEMENT_KEY = "bench-management-key-0123456789abcdef";

type Handler = { title: string; of: (auth: Auth) => (request: Request) => Promise<Response> };

/** What serves the requests. The part "cpu" measures tenants with each of them, and judges the last. */
export const HANDLERS = {
	engine: { title: "`auth.handler`", of: (auth) => auth.handler },
	tenant: { title: "`createTenantHandler`", of: createTenantHandler },
} satisfies Record<string, Handler>;
export type HandlerName = keyof typeof HANDLERS;

export type EngineSettings = {
	/** the URL of a PostgreSQL, in which it gets its own database */
	postgres: string;
	database: string;
	/** Better Auth alone, or with these options of the plugin */
	tenants: TenantAuthOptions | null;
	/** other plugins, in addition or instead */
	plugins?: BetterAuthPlugin[];
	hashing: "scrypt" | "cheap";
	redis?: Redis | undefined;
	cookieCache?: boolean;
	gitlab?: { issuer: string; clientId: string; clientSecret: string } | undefined;
	/** connections to the database */
	poolSize?: number;
	/** the engine's by default */
	handler?: HandlerName;
	/** each tenant has a subdomain, so links and cookies follow the request's host */
	byHost?: boolean;
};

export type Call = {
	body?: unknown;
	/** sent in the x-tenant-id header */
	tenant?: string | undefined;
	cookie?: string | undefined;
	browser?: Browser;
	/** with the management key */
	operator?: boolean;
	method?: string;
};

const BY_HOST = { allowedHosts: ["localhost:3000", "*.localhost:3000"], fallback: ORIGIN, protocol: "http" as const };

export type Engine = Awaited<ReturnType<typeof startEngine>>;

/** An engine in this process, called without a server, and the number of its statements. */
export const startEngine = async (settings: EngineSettings) => {
	const url = new URL(settings.postgres);
	await createDatabase(settings.postgres, settings.database);
	url.pathname = `/${settings.database}`;
	const pool = new Pool({ connectionString: url.toString(), max: settings.poolSize ?? 10 });
	const sent = { statements: 0 };
	pool.on("connect", (client) => {
		const send = client.query.bind(client) as (...args: unknown[]) => unknown;
		Object.assign(client, {
			query: (...args: unknown[]) => {
				sent.statements += 1;
				return send(...args);
			},
		});
	});
	const resetTokens = new Map<string, string>();
	const options: BetterAuthOptions = {
		database: pool,
		baseURL: settings.byHost ? BY_HOST : ORIGIN,
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		rateLimit: { enabled: false },
		logger: { level: "error" },
		emailAndPassword: {
			enabled: true,
			...(settings.hashing === "cheap" ? { password: cheapHash } : {}),
			sendResetPassword: async ({ user, token }) => void resetTokens.set(user.email, token),
		},
		...(settings.cookieCache ? { session: { cookieCache: { enabled: true, maxAge: 3_600 } } } : {}),
		...(settings.redis
			? { secondaryStorage: redisStorage({ client: settings.redis, keyPrefix: `${settings.database}:` }) }
			: {}),
		...(settings.gitlab ? { socialProviders: { gitlab: settings.gitlab } } : {}),
		plugins: [...(settings.tenants ? [tenantAuth(withManagement(settings.tenants))] : []), ...(settings.plugins ?? [])],
	};
	await (await getMigrations(options)).runMigrations();
	const auth = betterAuth(options);
	const context = await auth.$context;
	// a response that waits until its time says nothing about the user measures the wait
	if (settings.tenants) responseFloorOf({ context }).milliseconds = 0;
	const handle = HANDLERS[settings.handler ?? "engine"].of(auth);

	/** The response to one request; throws unless it succeeds. */
	const call = async (path: string, { body, tenant, cookie, browser, operator, method }: Call = {}) => {
		const headers: Record<string, string> = { origin: ORIGIN };
		const sent = body === undefined ? null : JSON.stringify(body);
		if (sent !== null) {
			headers["content-type"] = "application/json";
			// as clients send it and servers pass it on
			headers["content-length"] = String(Buffer.byteLength(sent));
		}
		if (tenant) headers["x-tenant-id"] = tenant;
		if (operator) headers.authorization = `Bearer ${MANAGEMENT_KEY}`;
		const sentCookie = cookie ?? browser?.header();
		if (sentCookie) headers.cookie = sentCookie;
		const response = await handle(
			new Request(path.startsWith("http") ? path : `${ORIGIN}/api/auth${path}`, {
				method: method ?? (body === undefined ? "GET" : "POST"),
				headers,
				body: sent,
			}),
		);
		const text = await response.text();
		const location = response.headers.get("location");
		if (response.status >= 400 || location?.includes("error="))
			throw new Error(`${path} returned ${response.status} ${location ?? ""} ${text}`);
		browser?.take(response);
		return { text, location, response };
	};

	return {
		call,
		pool,
		sent,
		/** the last token of the password reset mails, by address */
		resetTokens,
		newTenant: async (slug: string): Promise<string> => {
			const { text } = await call("/tenant/create", { operator: true, body: { name: slug, slug } });
			return (JSON.parse(text) as { id: string }).id;
		},
		/** Signs a user up and returns the cookies. */
		signUp: async (email: string, tenant?: string): Promise<string> => {
			const browser = new Browser();
			await call("/sign-up/email", { tenant, browser, body: { name: "Ada", email, password: PASSWORD } });
			return browser.header();
		},
		close: () => pool.end(),
	};
};

const withManagement = (options: TenantAuthOptions): TenantAuthOptions => ({
	...options,
	management: { ...options.management, keys: [MANAGEMENT_KEY] },
});

const createDatabase = async (server: string, name: string): Promise<void> => {
	const admin = new Client({ connectionString: server });
	await admin.connect();
	try {
		const { rowCount } = await admin.query("select 1 from pg_database where datname = $1", [name]);
		if (rowCount === 0) await admin.query(`create database "${name}"`);
	} finally {
		await admin.end();
	}
};
