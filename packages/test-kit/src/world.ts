import { randomBytes } from "node:crypto";
import { redisStorage } from "@better-auth/redis-storage";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { type TenantAuthOptions, tenantAuth, withKeyScan } from "better-auth-tenants";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import type { AnswerJson } from "./answer-json.ts";
import { Browser } from "./browser.ts";
import { expectNoCanary } from "./canary.ts";
import { cheapHash } from "./cheap-hash.ts";
import { createDatabase, type DatabaseKind } from "./databases.ts";
import { served } from "./served.ts";
import { templateOf } from "./templates.ts";

export const ORIGIN = "http://localhost:3000";
export const MANAGEMENT_KEY = "test-management-key-0123456789abcdef";
export const PASSWORD = "correct horse battery";

export type Mail = { kind: "verify" | "reset" | "change" | "magic" | "otp"; url: string; token: string; to: string };

export type CallOptions = {
	method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	body?: unknown;
	query?: Record<string, string>;
	/** sets the x-tenant-id header */
	tenant?: string | undefined;
	headers?: Record<string, string>;
	browser?: Browser | undefined;
	/** sends the management key */
	operator?: boolean;
};

export type Answer = {
	status: number;
	/** null if it is not JSON */
	json: AnswerJson;
	code: string | undefined;
	location: string | null;
	headers: Headers;
	text: string;
};

export type WorldOptions = {
	database?: DatabaseKind;
	/** stores sessions and verifications in Redis only */
	redis?: boolean;
	tenantAuth?: TenantAuthOptions;
	engine?: Partial<BetterAuthOptions>;
	/** mounted after tenantAuth() */
	plugins?: BetterAuthPlugin[];
	/** replaces the whole plugin list */
	allPlugins?: BetterAuthPlugin[];
	realHash?: boolean;
	/** receives the teardown, if the world outlives the test that created it */
	onFinished?: (close: () => Promise<void>) => void;
};

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Better Auth with tenantAuth(), its own database, and every mail it sends. Torn down when the test ends. */
export const createWorld = async ({
	database: kind = "sqlite",
	redis = false,
	realHash = false,
	onFinished = onTestFinished,
	...given
}: WorldOptions = {}) => {
	const mails: Mail[] = [];
	const logs: string[] = [];
	/** every response */
	const answered: string[] = [];
	const post =
		(mail: Mail["kind"]) => async (data: { user?: { email: string }; email?: string; url: string; token: string }) => {
			mails.push({ kind: mail, url: data.url, token: data.token, to: data.user?.email ?? data.email ?? "" });
		};
	const keyPrefix = `tenants-test-${randomBytes(6).toString("hex")}:`;
	const client = redis ? new Redis(process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379") : null;
	const engine: BetterAuthOptions = {
		baseURL: ORIGIN,
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		rateLimit: { enabled: false },
		// the engine turns these checks off under a test runner
		advanced: { disableOriginCheck: false },
		logger: {
			level: "debug",
			log: (level, message, ...rest) => logs.push([level, message, ...rest.map(inspectDeep)].join(" ")),
		},
		emailVerification: { sendVerificationEmail: post("verify"), autoSignInAfterVerification: true },
		user: {
			changeEmail: { enabled: true, sendChangeEmailConfirmation: post("change") },
			deleteUser: { enabled: true },
		},
		...(client ? { secondaryStorage: withKeyScan(redisStorage, { client, keyPrefix }) } : {}),
		...given.engine,
		emailAndPassword: {
			// also where a test replaces the other settings
			...(realHash ? {} : { password: cheapHash }),
			...(given.engine?.emailAndPassword ?? { enabled: true, sendResetPassword: post("reset") }),
		},
	};
	const plugin = tenantAuth({
		management: { keys: [MANAGEMENT_KEY] },
		tenantCache: { maxAge: 60 },
		deletion: { drainTime: 0 },
		// the tests' identity provider is on loopback
		oauth: { allowPrivateHosts: true },
		...given.tenantAuth,
	});
	const plugins = given.allPlugins ?? [plugin, ...(given.plugins ?? [])];
	const database = await createDatabase(kind, templateOf({ ...engine, plugins }));
	const options = { database: database.connection, ...engine, plugins };
	const auth = served(betterAuth(options));
	await auth.$context;

	const request = (path: string, call: CallOptions = {}): Request => {
		const url = path.startsWith("http") ? new URL(path) : new URL(`${ORIGIN}/api/auth${path}`);
		for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
		const headers = new Headers({ origin: ORIGIN, ...call.headers });
		if (call.body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
		if (call.tenant) headers.set("x-tenant-id", call.tenant);
		if (call.operator) headers.set("authorization", `Bearer ${MANAGEMENT_KEY}`);
		if (call.browser && call.browser.cookies.size > 0) headers.set("cookie", call.browser.header());
		const method = call.method ?? (call.body === undefined ? "GET" : "POST");
		const body = call.body === undefined ? null : typeof call.body === "string" ? call.body : JSON.stringify(call.body);
		return new Request(url, { method, headers, body });
	};

	const call = async (path: string, options: CallOptions = {}): Promise<Answer> => {
		const response = await auth.handler(request(path, options));
		options.browser?.take(response);
		const text = await response.text();
		answered.push(text, ...[...response.headers].map(([name, value]) => `${name}: ${value}`));
		const json = parse(text);
		return {
			status: response.status,
			json,
			code: json?.code,
			location: response.headers.get("location"),
			headers: response.headers,
			text,
		};
	};

	const redisKeys = async (): Promise<string[]> => (client ? client.keys(`${keyPrefix}*`) : []);
	const redisValues = async (): Promise<string[]> =>
		Promise.all((await redisKeys()).map(async (key) => (await client?.get(key)) ?? ""));

	let slugs = 0;
	const newTenant = async (slug = `tenant-${++slugs}`): Promise<string> => {
		const made = await call("/tenant/create", { operator: true, body: { name: `Tenant ${slug}`, slug } });
		if (made.status !== 200) throw new Error(`no tenant: ${made.text}`);
		return made.json.id;
	};

	const close = async (): Promise<void> => {
		await expectNoCanary([...answered, ...logs, ...(await redisValues())], database);
		if (client) {
			const keys = await redisKeys();
			if (keys.length > 0) await client.del(...keys);
			await client.quit();
		}
		await database.close();
	};
	onFinished(close);

	return {
		auth,
		options,
		database,
		mails,
		logs,
		call,
		newTenant,
		/** the last mail of a kind */
		lastMail: (kind: Mail["kind"]): Mail => {
			const found = mails.findLast((mail) => mail.kind === kind);
			if (!found) throw new Error(`no ${kind} mail was sent`);
			return found;
		},
		/** Deletes the keys in Redis that contain a text, as if Redis had evicted them. */
		dropKeys: async (part: string): Promise<void> => {
			const keys = (await redisKeys()).filter((key) => key.includes(part));
			if (keys.length > 0) await client?.del(...keys);
		},
		redisKeys: async (): Promise<string[]> => (await redisKeys()).map((key) => key.slice(keyPrefix.length)),
		/** Signs up through the engine's own endpoint and returns the signed-in browser. */
		signUp: async (tenant: string | undefined, email: string, password = PASSWORD): Promise<Browser> => {
			const browser = new Browser();
			const answer = await call("/sign-up/email", { tenant, browser, body: { name: "Ada", email, password } });
			if (answer.status !== 200) throw new Error(`no sign-up: ${answer.text}`);
			return browser;
		},
	};
};

const parse = (text: string): AnswerJson => {
	try {
		return JSON.parse(text);
	} catch {
		// typed as present, like each of its fields; tests read the text then
		return null as unknown as AnswerJson;
	}
};

const inspectDeep = (value: unknown): string => {
	if (value instanceof Error)
		return `${value.stack} ${JSON.stringify(value)} ${value.cause ? inspectDeep(value.cause) : ""}`;
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return String(value);
	}
};
