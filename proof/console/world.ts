import { randomBytes } from "node:crypto";
import { createDatabase } from "test-kit/run-database";
import { freePort } from "test-kit/servers/free-port";
import { startSmtp } from "test-kit/servers/smtp";
import { runCommand, startService } from "test-kit/service/service";

const MAIN = new URL("../../apps/server/dist/main.js", import.meta.url).pathname;
const MANAGEMENT_KEY = "a-management-key-for-the-proof-of-the-console";
const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

export const PASSWORD = "correct horse battery";

export type Tenant = { id: string; name: string; slug: string; origin: string; owner: string };
export type World = Awaited<ReturnType<typeof startWorld>>;

/** What a browser sends back after a response. */
export const cookieOf = (answer: Response): string =>
	answer.headers
		.getSetCookie()
		.map((header) => header.split(";", 1)[0])
		.join("; ");

/** The built service with its console, and two tenants with an owner each: one branded and in German. */
export const startWorld = async () => {
	const [database, smtp, port] = [await createDatabase(), await startSmtp(), await freePort()];
	const platform = `http://localhost:${port}`;
	const environment = {
		AUTH_URL: platform,
		AUTH_SECRET: "a-secret-for-the-proof-of-the-console",
		DATABASE_URL: database.url,
		REDIS_URL,
		REDIS_KEY_PREFIX: `console-${randomBytes(6).toString("hex")}:`,
		MANAGEMENT_KEYS: MANAGEMENT_KEY,
		MANAGEMENT_ROLES: "admin",
		MANAGEMENT_IMPERSONATION: "600",
		DELETION_DRAIN_TIME: "3",
		CONSOLE: "true",
		PAGES: "true",
		// the run itself names hosts that only Chromium resolves
		TRUSTED_PROXIES: "127.0.0.1",
		TENANT_RESOLVER: "subdomain",
		TENANT_DOMAIN: "localhost",
		TENANT_LIFECYCLE: "true",
		TENANT_POLICY: "true",
		TENANT_CACHE_MAX_AGE: "0",
		RATE_LIMIT: "false",
		REQUIRE_EMAIL_VERIFICATION: "false",
		// the identity provider of the run is on loopback
		ALLOW_PRIVATE_HOSTS: "true",
		USER_RATE_LIMIT_MAX: "1000000",
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		TENANT_INVITATION_URL: `http://:tenant.localhost:${port}/accept-invitation`,
		PLUGINS: "admin,email-otp,magic-link,passkey,tenant-admin,tenant-invitations,two-factor",
	};
	await runCommand({ main: MAIN, environment }, "migrate");
	const service = await startService({ main: MAIN, environment }, port);

	const operate = async (path: string, body: object): Promise<Record<string, unknown>> => {
		const answer = await fetch(`http://127.0.0.1:${port}/api/auth${path}`, {
			method: "POST",
			headers: {
				"x-forwarded-host": `localhost:${port}`,
				authorization: `Bearer ${MANAGEMENT_KEY}`,
				"content-type": "application/json",
				origin: platform,
			},
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return (await answer.json()) as Record<string, unknown>;
	};
	const read = async (path: string): Promise<unknown> => {
		const answer = await fetch(`http://127.0.0.1:${port}/api/auth${path}`, {
			headers: { "x-forwarded-host": `localhost:${port}`, authorization: `Bearer ${MANAGEMENT_KEY}` },
		});
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return answer.json();
	};
	/** Calls the API as a program on a tenant's host would, without a browser. */
	const call = (tenant: Tenant, path: string, init: { body?: object; headers?: Record<string, string> } = {}) =>
		fetch(`http://127.0.0.1:${port}/api/auth${path}`, {
			method: init.body ? "POST" : "GET",
			headers: {
				"x-forwarded-host": new URL(tenant.origin).host,
				origin: tenant.origin,
				...(init.body ? { "content-type": "application/json" } : {}),
				...init.headers,
			},
			...(init.body ? { body: JSON.stringify(init.body) } : {}),
		});
	/** Signs in without a browser. */
	const signIn = async (tenant: Tenant, email: string): Promise<{ cookie: string; isCodeAsked: boolean }> => {
		const answer = await call(tenant, "/sign-in/email", { body: { email, password: PASSWORD } });
		const { twoFactorRedirect = false } = (await answer.json()) as { twoFactorRedirect?: boolean };
		return { cookie: cookieOf(answer), isCodeAsked: twoFactorRedirect };
	};
	const createTenant = async (name: string, slug: string, metadata: object = {}): Promise<Tenant> => {
		const { id } = await operate("/tenant/create", { name, slug, metadata });
		const owner = `owner@${slug}.example`;
		await operate("/tenant/user/create", {
			tenantId: id,
			email: owner,
			name: "Olivia Owner",
			role: "owner",
			password: PASSWORD,
		});
		return { id: String(id), name, slug, origin: `http://${slug}.localhost:${port}`, owner };
	};
	return {
		smtp,
		platform,
		operate,
		/** what an operator reads */
		read,
		call,
		signIn,
		/** a command of the service, such as `operator create` */
		command: (...args: string[]) => runCommand({ main: MAIN, environment }, ...args),
		acme: await createTenant("Acme", "acme", { branding: { primaryColor: "#0057b8", locale: "de" } }),
		globex: await createTenant("Globex Corporation", "globex"),
		close: async (): Promise<void> => {
			await service.stop();
			await database.drop();
			await smtp.close();
		},
	};
};
