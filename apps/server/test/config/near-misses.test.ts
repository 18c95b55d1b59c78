// cspell:ignore STMP DATABASEURL KEYZ
import { expect, it, onTestFinished } from "vitest";
import { VARIABLES } from "../../src/config/config.ts";
import { editDistance } from "../../src/config/edit-distance.ts";
import { findNearMisses } from "../../src/config/near-misses.ts";
import { createWorld } from "../support/world.ts";
import { LEAST, read } from "./environment.ts";

const find = (environment: Record<string, string>) => findNearMisses(environment, Object.keys(VARIABLES));
const meantBy = (name: string) => find({ [name]: "a value" }).map(({ fix }) => /meant (\w+)/.exec(fix)?.[1]);

it.each([
	["RATE_LIMITS", "RATE_LIMIT"],
	["RATE_LIMIT_MX", "RATE_LIMIT_MAX"],
	["TRUSTED_PROXY", "TRUSTED_PROXIES"],
	["TRUSTED_ORIGIN", "TRUSTED_ORIGINS"],
	["SMTP_URI", "SMTP_URL"],
	["STMP_URL", "SMTP_URL"],
	["DATABASE_URI", "DATABASE_URL"],
	["DATABASEURL", "DATABASE_URL"],
	["REDIS_URI_FILE", "REDIS_URL_FILE"],
	["MAIL_FORM", "MAIL_FROM"],
	["PLUGIN", "PLUGINS"],
	["MANAGEMENT_KEYZ", "MANAGEMENT_KEYS"],
	["redis_url", "REDIS_URL"],
	["BETTER_AUTH_REDIS_URL", "REDIS_URL"],
	["TENANTS_SMTP_URL", "SMTP_URL"],
	["MAIL_FROM_FILE", "MAIL_FROM"],
	["LEVEL_LOG", "LOG_LEVEL"],
])("takes %s for %s", (name, meant) => {
	expect(meantBy(name)).toEqual([meant]);
});

it("lists the variables of a group for an unknown one of it", () => {
	expect(find({ TENANT_LIMIT: "7" })).toEqual([
		{ name: "TENANT_LIMIT", says: "TENANT_LIMIT has no effect", fix: expect.stringContaining("TENANT_RATE_LIMIT_MAX") },
	]);
});

it("is silent about variables of platforms, shells and other programs", () => {
	const others = {
		// Kubernetes, for services named redis, smtp, tenants, auth and metrics
		REDIS_PORT: "tcp://10.0.0.11:6379",
		REDIS_SERVICE_HOST: "10.0.0.11",
		REDIS_SERVICE_PORT: "6379",
		REDIS_SERVICE_PORT_REDIS: "6379",
		REDIS_PORT_6379_TCP: "tcp://10.0.0.11:6379",
		REDIS_PORT_6379_TCP_PROTO: "tcp",
		REDIS_PORT_6379_TCP_PORT: "6379",
		REDIS_PORT_6379_TCP_ADDR: "10.0.0.11",
		SMTP_PORT: "tcp://10.0.0.12:25",
		TENANT_PORT: "tcp://10.0.0.13:80",
		TENANTS_PORT: "tcp://10.0.0.13:80",
		TENANTS_SERVICE_HOST: "10.0.0.13",
		AUTH_PORT: "tcp://10.0.0.14:80",
		KUBERNETES_SERVICE_HOST: "10.0.0.1",
		// add-ons of hosting platforms
		REDIS_TLS_URL: "rediss://…",
		DATABASE_HOST: "db",
		DATABASE_USER: "me",
		SMTP_HOST: "mail",
		SMTP_USER: "me",
		MAIL: "/var/mail/me",
		MAIL_HOST: "mail",
		// shells and Node
		HOME: "/home/me",
		HOSTNAME: "web-1",
		HOSTTYPE: "x86_64",
		PATH: "/bin",
		PWD: "/",
		LOGNAME: "me",
		SESSION_MANAGER: "local/web-1",
		NODE_ENV: "production",
		HTTP_PROXY: "http://proxy",
		UV_THREADPOOL_SIZE: "8",
		OTEL_EXPORTER_OTLP_HEADERS: "a=b",
		OTEL_RESOURCE_ATTRIBUTES: "a=b",
		SOCIAL_GOOGLE_CLIENT_ID: "id",
		SOCIAL_GOOGLE_CLIENT_SECRET: "secret",
		MANAGEMENT_KEY: "a key of the command line",
	};
	expect(find(others)).toEqual([]);
	expect(read(others).doubts).toEqual([]);
});

it("is silent about an empty variable, and about one beside the right one", () => {
	expect(find({ SMTP_URI: "" })).toEqual([]);
	expect(find({ DATABASE_URI: "a", DATABASE_URL: "b" })).toEqual([]);
	expect(find({ DATABASE_URI: "a", DATABASE_URL_FILE: "b" })).toEqual([]);
});

it("knows every variable of its own", () => {
	expect(find(Object.fromEntries(Object.keys({ ...VARIABLES, ...LEAST }).map((name) => [name, "a value"])))).toEqual(
		[],
	);
});

it("warns in the log at startup, without the value, and starts", async () => {
	const world = await createWorld({ environment: { SMTP_URI: "smtp://me:hunter2@mail", RATE_LIMITS: "hunter2" } });
	onTestFinished(world.close);
	const service = await world.start();
	expect((await service.call("/livez")).status).toBe(200);
	expect(world.log.lines().filter(({ level, variable }) => level === "warn" && variable)).toMatchObject([
		{ variable: "SMTP_URI", msg: "SMTP_URI has no effect. Rename it if you meant SMTP_URL." },
	]);
	expect(world.log.text()).not.toContain("hunter2");
});

it.each([
	["", "", 0],
	["", "abc", 3],
	["kitten", "sitting", 3],
	["ca", "ac", 1],
	["MAIL_FORM", "MAIL_FROM", 1],
	["abc", "abc", 0],
])("counts the edits between %o and %o", (one, other, distance) => {
	expect(editDistance(one, other)).toBe(distance);
	expect(editDistance(other, one)).toBe(distance);
});
