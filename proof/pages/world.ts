import { randomBytes } from "node:crypto";
import { readConfig } from "server/src/config/config.ts";
import { createRedis } from "server/src/redis/client.ts";
import { createDatabase } from "test-kit/run-database";
import { freePort } from "test-kit/servers/free-port";
import { linkIn, startSmtp } from "test-kit/servers/smtp";
import { runCommand, startService } from "test-kit/service/service";
import { silentLogger } from "./silent-logger.ts";

const MAIN = new URL("../../apps/server/dist/main.js", import.meta.url).pathname;
const MANAGEMENT_KEY = "a-management-key-for-the-proof-of-pages";

/** Served by the run itself: nothing else answers. */
export const LOGO = "https://cdn.acme.example/logo.svg";
/** An application that visitors come from and go back to. */
export const SHOP = "https://shop.example.com";

export type Tenant = { id: string; name: string; origin: string };
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Deletes what the service left in Redis. */
const forgetKeys = async (environment: Record<string, string>): Promise<void> => {
	const { redis } = readConfig(environment);
	if (!redis) throw new Error("The service of the proof has no Redis");
	const client = createRedis(redis, silentLogger());
	const keys = await client.keys(`${redis.keyPrefix}*`);
	if (keys.length > 0) await client.del(...keys);
	client.disconnect();
};

/** The built service with its pages and every method that they offer, and two tenants: one branded and in German. */
export const startWorld = async () => {
	const [database, smtp, port] = [await createDatabase(), await startSmtp(), await freePort()];
	const redisPrefix = `pages-${randomBytes(6).toString("hex")}:`;
	const environment = {
		AUTH_URL: `http://localhost:${port}`,
		AUTH_SECRET: "a-secret-for-the-proof-of-pages-only",
		DATABASE_URL: database.url,
		MANAGEMENT_KEYS: MANAGEMENT_KEY,
		PAGES: "true",
		// the run itself names hosts that only Chromium resolves
		TRUSTED_PROXIES: "127.0.0.1",
		TENANT_RESOLVER: "subdomain",
		TENANT_DOMAIN: "localhost",
		TRUSTED_ORIGINS: SHOP,
		RATE_LIMIT: "false",
		USER_RATE_LIMIT_MAX: "1000000",
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		PLUGINS: "admin,email-otp,jwt,magic-link,oauth-provider,passkey,tenant-admin,tenant-invitations,two-factor",
		TENANT_POLICY: "true",
		REDIS_URL: process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379",
		REDIS_KEY_PREFIX: redisPrefix,
		SOCIAL_GOOGLE_CLIENT_ID: "google",
		SOCIAL_GOOGLE_CLIENT_SECRET: "secret",
		SOCIAL_GITHUB_CLIENT_ID: "github",
		SOCIAL_GITHUB_CLIENT_SECRET: "secret",
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
				origin: `http://localhost:${port}`,
			},
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return (await answer.json()) as Record<string, unknown>;
	};
	const createTenant = async (name: string, slug: string, metadata: object = {}): Promise<Tenant> => {
		const { id } = await operate("/tenant/create", { name, slug, metadata });
		return { id: String(id), name, origin: `http://${slug}.localhost:${port}` };
	};
	/** The path of the link in the invitation to an address. */
	const invitationTo = async (email: string): Promise<string> => {
		const url = new URL(linkIn(await smtp.mailTo(email, /Invitation|Einladung/)));
		return `${url.pathname}${url.search}`;
	};
	const branding = {
		name: "Acme GmbH",
		logo: LOGO,
		primaryColor: "#0057b8",
		backgroundColor: "#e8f0fa",
		terms: "https://acme.example/agb",
		privacy: "https://acme.example/datenschutz",
		imprint: "https://acme.example/impressum",
		locale: "de",
	};
	return {
		smtp,
		acme: await createTenant("Acme", "acme", { branding, mail: { locale: "de" } }),
		globex: await createTenant("Globex Corporation", "globex"),
		environment,
		createTenant,
		/** Invites a user. Returns the path of the link in the mail. */
		invite: async (tenant: Tenant, email: string, role: string): Promise<string> => {
			// an address may have been invited before
			smtp.mails.splice(0);
			await operate("/tenant/invitation/create", { tenantId: tenant.id, email, role });
			return invitationTo(email);
		},
		invitationTo,
		setPolicy: ({ id }: Tenant, policy: object) =>
			operate("/tenant/policy/update", { tenantId: id, policy, force: true }),
		/** Registers an OAuth client that asks for consent. Returns its id. */
		registerClient: async ({ id }: Tenant): Promise<string> => {
			const client = {
				redirect_uris: [`${SHOP}/callback`],
				client_name: "Shop",
				token_endpoint_auth_method: "client_secret_post",
				grant_types: ["authorization_code"],
				scope: "openid email profile offline_access",
			};
			return String((await operate("/tenant/oauth-client/create", { tenantId: id, client })).client_id);
		},
		close: async (): Promise<void> => {
			await service.stop();
			await forgetKeys(environment);
			await database.drop();
			await smtp.close();
		},
	};
};
