// cspell:ignore mller
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parseSender } from "../../src/config/sender.ts";
import { LEAST, mistakesOf, mistakesWith, read } from "./environment.ts";

const folder = mkdtempSync(join(tmpdir(), "config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (contents: string): string => {
	const path = join(folder, `${Math.random()}`);
	writeFileSync(path, contents);
	return path;
};

it("needs only a URL, a secret and a database, without mail", () => {
	const config = read();
	expect(config.http).toMatchObject({ publicURL: "https://auth.example.com", basePath: "/api/auth", port: 3000 });
	expect(config.database.urls).toEqual([LEAST.DATABASE_URL]);
	expect([config.redis, config.mail.smtp, config.observe.metrics, config.observe.tracing]).toEqual([
		null,
		null,
		null,
		null,
	]);
	expect(config.tenants).toMatchObject({ header: "x-tenant-id", resolvers: [], allowPrivateHosts: false });
	expect(config.management).toEqual({ impersonation: null, keys: [], userIds: [], roles: [], transfer: false });
});

it("lists all missing variables with their descriptions", () => {
	const mistakes = mistakesOf({});
	expect(mistakes).toContainEqual(expect.stringMatching(/^AUTH_URL is not set\. The server's public URL/));
	expect(mistakes).toContainEqual(expect.stringMatching(/^DATABASE_URL is not set\. PostgreSQL: postgres:/));
	// and what can be checked without them
	expect(mistakes).toContainEqual(expect.stringMatching(/^AUTH_SECRET is not set\. Create one/));
	expect(mistakes).toContainEqual(expect.stringMatching(/^SMTP_URL is not set, so users could not verify/));
	expect(mistakes).toHaveLength(4);
});

it("reports all mistakes at once, in single variables and in combinations", () => {
	const mistakes = mistakesWith({
		PORT: "many",
		RATE_LIMIT: "perhaps",
		TRUSTED_ORIGINS: "https://app.example.com/path",
		PLUGINS: "magic-link,teleport",
		MANAGEMENT_KEYS: "short",
		TENANT_RESOLVER: "subdomain",
		REDIS_TIMEOUT: "1",
		SOCIAL_GOOGLE_CLIENT_SECRET: "alone",
	});
	for (const name of [
		"PORT",
		"RATE_LIMIT",
		"PLUGINS",
		"MANAGEMENT_KEYS",
		"TENANT_DOMAIN",
		"REDIS_TIMEOUT",
		"SOCIAL_GOOGLE",
	])
		expect(mistakes.join("\n")).toContain(name);
	// each says how to fix it, in a second sentence
	for (const mistake of mistakes) expect(mistake).toMatch(/^[A-Z_]+ .*\. [A-Z].*/);
});

it.each([
	["AUTH_URL", "auth.example.com"],
	["AUTH_URL", "ftp://auth.example.com"],
	["AUTH_URL", "https://auth.example.com/path"],
	["BASE_PATH", "api"],
	["PORT", "70000"],
	["PORT", "3.5"],
	["TRUSTED_ORIGINS", "*"],
	["TRUSTED_ORIGINS", "https://*"],
	["TRUSTED_ORIGINS", "https://*.com"],
	["TRUSTED_ORIGINS", "app.example.com"],
	["TRUSTED_ORIGINS", "https://app.example.com/"],
	["TRUSTED_PROXIES", "proxy.example"],
	["TRUSTED_PROXIES", "10.0.0.0/33"],
	["BODY_LIMIT", "1"],
	["REQUEST_TIMEOUT", "0"],
	["AUTH_SECRET", "short"],
	["AUTH_SECRETS", "2:short"],
	["AUTH_SECRETS", `two:${"x".repeat(40)}`],
	["AUTH_SECRETS", `1:${"x".repeat(40)},1:${"y".repeat(40)}`],
	["AUTH_SECRETS", `2:${"x".repeat(40)},1:${"not AUTH_SECRET".repeat(3)}`],
	["AUTH_SECRETS_VERIFY", "none"],
	["DATABASE_URL", "mysql://me@db.example/auth"],
	["DATABASE_URL", "postgres://"],
	["DATABASE_URL", "postgres://me@db1.example,,db2.example/auth"],
	["DATABASE_POOL_SIZE", "0"],
	["REDIS_URL", "redis.example:6379"],
	["REDIS_URL", "redis://"],
	["REDIS_SENTINELS", "sentinel.example:port"],
	["REDIS_SENTINELS", "sentinel.example:0"],
	["REDIS_TIMEOUT", "1"],
	["SMTP_URL", "smtp://"],
	["SMTP_URL", "mail.example"],
	["MAIL_FROM", "Example"],
	["MAIL_FROM", "Example <a@b.example>, Other <c@d.example>"],
	["MAIL_FROM", "Example <a@b.example"],
	["MAIL_FROM", 'Ex"ample <a@b.example>'],
	["INVITATION_URL", "https://app.example.com/invitations"],
	["INVITATION_URL", "javascript://app.example.com/:id"],
	["REQUIRE_EMAIL_VERIFICATION", "true"],
	["REQUIRE_EMAIL_VERIFICATION", "yes"],
	["MANAGEMENT_KEYS", "x".repeat(31)],
	["MANAGEMENT_ROLES", "admin"],
	["TENANT_HEADER", "x tenant"],
	["TENANT_RESOLVER", "magic"],
	["TENANT_RESOLVER", "subdomain"],
	["OAUTH_CALLBACK_HOST", "https://auth.example.com"],
	["OAUTH_CALLBACK_HOST", "auth.example.com:3000"],
	["PLATFORM_HOSTS", "https://auth.internal"],
	["PLATFORM_HOSTS", "auth.internal:3000"],
	["PLATFORM_SIGN_UP", "yes"],
	["TENANT_DOMAIN", "https://app.example.com"],
	["TENANT_DOMAIN", ".app.example.com"],
	["TENANT_PATH", "/t/:slug"],
	["DELETION_DRAIN_TIME", "1"],
	["PLUGINS", "teleport"],
	["PLUGINS", "magic-link"],
	["PLUGINS", "email-otp"],
	["PLUGINS", "phone-number"],
	["PLUGINS", "scim"],
	["SMS_WEBHOOK_URL", "https://sms.example.com/send"],
	["SMS_WEBHOOK_URL", "sms.example.com"],
	["SMS_WEBHOOK_SECRET", "a secret"],
	["SCIM_SECRET", "short"],
	["OAUTH_PROVIDER_LOGIN_PAGE", "//evil.example"],
	["OAUTH_PROVIDER_CONSENT_PAGE", "javascript:alert(1)"],
	["DEVICE_VERIFICATION_URL", "device"],
	["PASSKEY_RP_ID", "https://example.com"],
	["SESSION_MAX_AGE", "1.5"],
	["RATE_LIMIT_WINDOW", "2.5"],
	["RATE_LIMIT", "maybe"],
	["LOG_LEVEL", "loud"],
	["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
	["SOCIAL_NOBODY_CLIENT_ID", "id"],
	["SOCIAL_GOOGLE_CLIENT", "id"],
	["SOCIAL_GOOGLE_CLIENT_SECRET", "secret"],
	["BETTER_AUTH_SECRETS", `1:${"x".repeat(40)}`],
	["BETTER_AUTH_TRUSTED_ORIGINS", "https://evil.example"],
])("refuses %s=%s and says how to fix it", (name, value) => {
	const mistakes = mistakesWith({ [name]: value });
	expect(mistakes).toHaveLength(1);
	expect(mistakes[0]).toMatch(/^[A-Z_]+ .+\. [A-Z].+/);
});

it.each<[string, Record<string, string>, RegExp]>([
	[
		"REDIS_URL with Sentinels",
		{ REDIS_URL: "redis://r.example", REDIS_SENTINELS: "s.example" },
		/^REDIS_URL and REDIS_SENTINELS are set together\. Keep one/,
	],
	[
		"a public URL among those of tenants",
		{ AUTH_URL: "https://ID.app.example.com", TENANT_RESOLVER: "subdomain", TENANT_DOMAIN: "App.example.com" },
		/^AUTH_URL is a subdomain of TENANT_DOMAIN.*\. Use/,
	],
	["SMTP_URL without a sender", { SMTP_URL: "smtp://mail.example" }, /^MAIL_FROM is not set/],
])("refuses %s", (_what, environment, mistake) => {
	expect(mistakesWith(environment)).toEqual([expect.stringMatching(mistake)]);
});

it("accepts valid values in all forms", () => {
	expect(
		read({ TRUSTED_ORIGINS: " https://a.example , https://*.b.example,http://localhost:5173 " }).http.trustedOrigins,
	).toEqual(["https://a.example", "https://*.b.example", "http://localhost:5173"]);
	expect(read({ TRUSTED_PROXIES: "10.0.0.7, 10.1.0.0/16,fd00::/8" }).http.trustedProxies).toHaveLength(3);
	expect(read({ DATABASE_URL: "postgresql://me:p%40ss@db1:5432,db2:5433/auth?sslmode=require" }).database.urls).toEqual(
		["postgresql://me:p%40ss@db1:5432/auth?sslmode=require", "postgresql://me:p%40ss@db2:5433/auth?sslmode=require"],
	);
	expect(read({ DATABASE_URL: "postgres://me:p@ss@db1,db2/auth" }).database.urls).toEqual([
		"postgres://me:p@ss@db1/auth",
		"postgres://me:p@ss@db2/auth",
	]);
	expect(read({ REDIS_SENTINELS: "s1,s2:26380,[::1]:26381" }).redis?.sentinels).toEqual([
		{ host: "s1", port: 26379 },
		{ host: "s2", port: 26380 },
		{ host: "::1", port: 26381 },
	]);
	expect(read({ TENANT_HEADER: "off" }).tenants.header).toBe(false);
	expect(read({ TENANT_RESOLVER: "path,subdomain", TENANT_DOMAIN: "app.example.com" }).tenants.resolvers).toEqual([
		"path",
		"subdomain",
	]);
	const below = { TENANT_RESOLVER: "subdomain", TENANT_DOMAIN: "example.com" };
	for (const AUTH_URL of ["https://example.com", "https://auth-example.com"])
		expect(read({ ...below, AUTH_URL }).tenants.domain).toBe("example.com");
	expect(read({ AUTH_SECRET: "", AUTH_SECRETS: `2:${"n".repeat(40)}, 1:${"o".repeat(40)}` }).secrets.versioned).toEqual(
		[
			{ version: 2, value: "n".repeat(40) },
			{ version: 1, value: "o".repeat(40) },
		],
	);
	expect(read({ MAIL_FROM: '"Example, Inc." <auth@example.com>' }).mail.smtp).toBeNull();
	expect(read({ RATE_LIMIT: "off", ALLOW_PRIVATE_HOSTS: "on" })).toMatchObject({
		limits: { enabled: false },
		tenants: { allowPrivateHosts: true },
	});
	expect(
		read({
			SOCIAL_GITLAB_CLIENT_ID: "id",
			SOCIAL_GITLAB_CLIENT_SECRET: "secret",
			SOCIAL_GITLAB_ISSUER: "https://git.example",
			SOCIAL_GITLAB_SCOPE: "read_user email",
		}).socialProviders,
	).toEqual({
		gitlab: { clientId: "id", clientSecret: "secret", issuer: "https://git.example", scope: ["read_user", "email"] },
	});
});

it.each([
	["auth@example.com", { name: "", address: "auth@example.com" }],
	[" Example <auth@example.com> ", { name: "Example", address: "auth@example.com" }],
	['"Example, Inc." <auth@example.com>', { name: "Example, Inc.", address: "auth@example.com" }],
	["<auth@example.com>", { name: "", address: "auth@example.com" }],
	["Example", null],
	["Example auth@example.com", null],
	["Example <auth@example.com> and more", null],
	["Exam<ple <auth@example.com>", null],
	["Example\r\nBcc: x <auth@example.com>", null],
])("parses the sender %j", (given, sender) => {
	expect(parseSender(given)).toEqual(sender);
});

it("treats an empty variable as not set", () => {
	expect(read({ REDIS_URL: "", SMTP_URL: " ", PLUGINS: "" })).toMatchObject({ redis: null, plugins: [] });
});

it("reads secrets from files, without the trailing newline", () => {
	const secret = "b-secret-of-32-characters-or-more";
	const { AUTH_SECRET, DATABASE_URL, ...rest } = LEAST;
	expect(
		mistakesOf({ ...rest, AUTH_SECRET_FILE: fileOf(`${secret}\n`), DATABASE_URL_FILE: fileOf(`${DATABASE_URL}\n`) }),
	).toEqual([]);
	expect(read({ REDIS_URL: "redis://r.example", REDIS_PASSWORD_FILE: fileOf("hunter2\n") }).redis?.password).toBe(
		"hunter2",
	);
	expect(
		read({ SOCIAL_GOOGLE_CLIENT_ID: "id", SOCIAL_GOOGLE_CLIENT_SECRET_FILE: fileOf("secret\n") }).socialProviders
			.google,
	).toEqual({ clientId: "id", clientSecret: "secret" });
});

it("reports a file that is unreadable, empty, or set together with its variable, once", () => {
	const { AUTH_SECRET, DATABASE_URL, ...rest } = LEAST;
	expect(mistakesOf({ ...rest, AUTH_SECRET_FILE: "/nowhere", DATABASE_URL_FILE: fileOf(" \n") })).toEqual([
		"AUTH_SECRET_FILE names a file that is empty or cannot be read. Check the path and its permissions",
		"DATABASE_URL_FILE names a file that is empty or cannot be read. Check the path and its permissions",
	]);
	expect(mistakesWith({ AUTH_SECRET_FILE: fileOf("x".repeat(40)) })).toEqual([
		"AUTH_SECRET and AUTH_SECRET_FILE are both set. Keep one of them",
	]);
});

it("makes AUTH_SECRET version 1, so that processes with AUTH_SECRETS can run beside it", () => {
	const [old, next] = ["o".repeat(40), "n".repeat(40)];
	const one = { version: 1, value: old };
	const two = { version: 2, value: next };
	expect(read({ AUTH_SECRET: old }).secrets).toMatchObject({ secret: old, versioned: [one], verifiesWithAll: true });
	// the first one signs, whatever its number
	for (const AUTH_SECRET of ["", old]) {
		const added = read({ AUTH_SECRET, AUTH_SECRETS: `1:${old},2:${next}` }).secrets;
		expect(added).toMatchObject({ secret: old, versioned: [one, two], verifiesWithAll: true });
		const first = read({ AUTH_SECRET, AUTH_SECRETS: `2:${next},1:${old}` }).secrets;
		expect(first).toMatchObject({ secret: old, versioned: [two, one], verifiesWithAll: true });
	}
	expect(read({ AUTH_SECRET: old, AUTH_SECRETS: `2:${next}` }).secrets.versioned).toEqual([two, one]);
	expect(read({ AUTH_SECRET: "", AUTH_SECRETS: `2:${next}` }).secrets).toMatchObject({
		secret: next,
		versioned: [two],
	});
	expect(read({ AUTH_SECRETS_VERIFY: "first" }).secrets.verifiesWithAll).toBe(false);
});

it("repeats no secret in a message, even if it is invalid", () => {
	const SECRET = "hunter2-is-a-secret";
	for (const name of [
		"AUTH_SECRET",
		"AUTH_SECRETS",
		"DATABASE_URL",
		"REDIS_URL",
		"SMTP_URL",
		"MANAGEMENT_KEYS",
		"BETTER_AUTH_SECRET",
		"BETTER_AUTH_SECRETS",
	])
		for (const value of [SECRET, `x://me:${SECRET}@host`, `2:${SECRET},2:${SECRET}`, `postgres://me:${SECRET}@,/`]) {
			const mistakes = mistakesWith({ [name]: value });
			expect(mistakes.join("\n")).not.toContain(SECRET);
		}
	expect(mistakesWith({ SMTP_URL: `smtp://me:${SECRET}@mail.example` }).join("\n")).not.toContain(SECRET);
	expect(mistakesWith({ SOCIAL_GOOGLE_CLIENT_SECRET: SECRET }).join("\n")).not.toContain(SECRET);
});

it("reads the domains of senders as DNS has them, by default the domain of MAIL_FROM", () => {
	const mail = { SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "Example <auth@Example.com>" };
	expect(read(mail).mail).toMatchObject({ senderDomains: ["example.com"], locale: "en" });
	const more = read({ ...mail, MAIL_SENDER_DOMAINS: "ACME.com, müller.example", MAIL_LOCALE: "de" });
	expect(more.mail).toMatchObject({ senderDomains: ["acme.com", "xn--mller-kva.example"], locale: "de" });
	expect(read().mail.senderDomains).toEqual([]);
	for (const wrong of ["*.acme.com", "a@acme.com", "https://acme.com", "acme.com.", "acme..com", "-acme.com"])
		expect(mistakesWith({ ...mail, MAIL_SENDER_DOMAINS: wrong }).join()).toContain("which is not a domain. Use a list");
	expect(mistakesWith({ ...mail, MAIL_LOCALE: "tlh" }).join()).toMatch(/MAIL_LOCALE is unknown/);
});
