import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { installScript } from "test-kit/install-script";
import { packPackage } from "test-kit/packed-packages";
import { resultsIn } from "test-kit/results/results-in";
import { createDatabase } from "test-kit/run-database";
import { freePort } from "test-kit/servers/free-port";
import { workspaceVersions } from "test-kit/workspace-versions";
import { PLAIN, WITH_TENANTS } from "./application.ts";
import { blockOf, createFolder } from "./folder.ts";
import { createBrowser } from "./requests.ts";

const PASSWORD = "correct horse battery";
const OTHER_PASSWORD = "another horse battery";
const KEY = randomBytes(32).toString("base64");
/** What the team installs, at the versions that this repository tests with. */
const DEPENDENCIES = ["better-auth", "@better-auth/core", "@better-auth/api-key", "drizzle-orm", "pg"];
const TOOLS = ["auth", "drizzle-kit", "typescript", "@types/node", "@types/pg"];

type Step = { name: string; seconds: number; seen: string };
const steps: Step[] = [];
const began = performance.now();

/** Records what was seen. A failed run records nothing, so the record is always of a run that passed. */
const report = async (): Promise<void> => {
	const seconds = Math.round((performance.now() - began) / 1000);
	console.log(`Done after ${seconds} s.`);
	if (!process.argv.includes("--record")) return;
	await resultsIn(new URL("./results/", import.meta.url)).write("new-team", { seconds, steps });
	console.log("Recorded in proof/new-team/results/new-team.json.");
};

/** Runs a step, prints it with its time, and keeps it for the record. */
const step = async (name: string, work: () => Promise<string>): Promise<void> => {
	const started = performance.now();
	const seen = await work();
	const seconds = Math.round((performance.now() - started) / 100) / 10;
	steps.push({ name, seconds, seen });
	console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}: ${seen}`);
};

const database = await createDatabase();
const testDatabase = await createDatabase();
const port = await freePort();
const team = await createFolder({
	DATABASE_URL: database.url,
	BETTER_AUTH_SECRET: randomBytes(32).toString("base64"),
	MANAGEMENT_KEY: KEY,
	PORT: String(port),
});
const visit = createBrowser(port);
const signIn = (host: string, email: string, password = PASSWORD) =>
	visit(host, "/sign-in/email", { body: { email, password } });
const count = async (sql: string): Promise<number> => Number((await database.query(sql))[0]?.count);

const plainApplication = async (): Promise<void> => {
	await step("install", async () => {
		const tarball = await packPackage("tenants", team.path);
		const { catalog } = await workspaceVersions();
		const exact = (names: string[]) => names.map((name) => `${name}@${catalog[name]}`).join(" ");
		const commands = `npm init -y
npm pkg set type=module
npm install --prefer-offline --no-audit --no-fund ${exact(DEPENDENCIES)} better-auth-tenants
npm install --prefer-offline --no-audit --no-fund --save-dev ${exact(TOOLS)}`;
		await team.shell(await installScript(commands, tarball));
		return [...DEPENDENCIES, ...TOOLS].map((name) => `${name} ${catalog[name]}`).join(", ");
	});
	await step("tables of the plain application", async () => {
		await team.write(PLAIN);
		await team.shell(await blockOf("docs/database.md", "drizzle-migration"));
		assert.equal(await count("select count(*) from information_schema.columns where column_name like 'tenant%'"), 0);
		return `${await count("select count(*) from information_schema.tables where table_schema = 'public'")} tables`;
	});
	await step("existing users", async () => {
		assert.match(await team.shell("node users.ts"), /^1000$/m);
		return "1,000 users with passwords and usernames";
	});
};

/** A session from before the application has tenants. */
const signInBefore = async (): Promise<string> => {
	const server = await team.start("server.ts", "listening");
	const { status, cookie } = await signIn("localhost", "user-0@acme.com");
	await server.stop();
	assert.equal(status, 200);
	return cookie;
};

const mountPlugin = async (): Promise<void> => {
	await step("mount the plugin", async () => {
		await team.write(WITH_TENANTS);
		return "auth.ts with withTenants, fromSubdomain and a management key";
	});
	await step("migrate", async () => {
		await team.shell(await blockOf("docs/database.md", "drizzle-migration"));
		await team.write({ "steps.ts": await blockOf("docs/database.md", "steps.ts") });
		// warnings of Better Auth and its plugins go to the other stream
		const printed = await team.shell("node steps.ts 2> warnings.log");
		const statements = printed.split("\n").filter((line) => line.startsWith("update "));
		assert.equal(await count(`select count(*) from "user" where tenant_id = 'platform'`), 1000);
		assert.equal((await team.shell("node steps.ts 2> warnings.log")).trim(), "");
		return `1,000 users are platform users, after ${statements.length} further statements`;
	});
	await step("compile the application under strict", async () => {
		await team.shell("npx tsc");
		return "no errors";
	});
};

const serveTenants = async (cookie: string): Promise<void> => {
	await step("the session from before", async () => {
		const { body } = await visit("localhost", "/get-session", { headers: { cookie } });
		assert.equal((body?.user as { email: string } | undefined)?.email, "user-0@acme.com");
		return "is still valid on the platform";
	});
	await step("create tenants over HTTP", async () => {
		const slugs = ["acme", "globex", "initech"];
		const headers = { authorization: `Bearer ${KEY}` };
		const refused = await visit("localhost", "/tenant/create", { body: { name: "acme", slug: "acme" } });
		assert.ok(refused.status === 401 || refused.status === 403, JSON.stringify(refused));
		for (const slug of slugs) {
			const created = await visit("localhost", "/tenant/create", { body: { name: slug, slug }, headers });
			assert.equal(created.status, 200, JSON.stringify(created.body));
		}
		return `${slugs.join(", ")}; refused without the key`;
	});
	await step("move the users", async () => {
		const moved = (await team.shell("node move.ts 2> warnings.log")).trim().split("\n").join(", ");
		assert.equal(moved, "acme 500, globex 250, initech 250");
		assert.equal(await count(`select count(*) from "user" where tenant_id = 'platform'`), 0);
		return moved;
	});
	await step("sign in on subdomains", async () => {
		for (const [host, email] of [
			["acme.localhost", "user-0@acme.com"],
			["acme.localhost", "user-1@acme.com"],
			["globex.localhost", "user-2@globex.com"],
			["initech.localhost", "user-3@initech.com"],
		] as const) {
			const { status, cookie: own } = await signIn(host, email);
			assert.equal(status, 200, `${email} at ${host}`);
			const { body } = await visit(host, "/get-session", { headers: { cookie: own } });
			assert.equal((body?.user as { email: string } | undefined)?.email, email);
		}
		const byName = { body: { username: "user_0", password: PASSWORD } };
		assert.equal((await visit("acme.localhost", "/sign-in/username", byName)).status, 200);
		assert.equal((await visit("globex.localhost", "/sign-in/username", byName)).status, 401);
		assert.equal((await signIn("globex.localhost", "user-0@acme.com")).status, 401);
		assert.equal((await signIn("localhost", "user-0@acme.com")).status, 401);
		assert.equal((await signIn("umbrella.localhost", "user-0@acme.com")).status, 404);
		return "four users by email, one by username; refused in another tenant, on the platform and on a host of no tenant";
	});
	await step("the same email in two tenants", async () => {
		const body = { name: "Other", email: "user-0@acme.com", password: OTHER_PASSWORD };
		assert.equal((await visit("globex.localhost", "/sign-up/email", { body })).status, 200);
		assert.equal((await signIn("globex.localhost", body.email, OTHER_PASSWORD)).status, 200);
		assert.equal((await signIn("acme.localhost", body.email)).status, 200);
		assert.equal((await signIn("acme.localhost", body.email, OTHER_PASSWORD)).status, 401);
		assert.equal((await signIn("globex.localhost", body.email)).status, 401);
		return "two users, each with their own password";
	});
};

const isolation = (): Promise<void> =>
	step("assertTenantIsolation on an empty database", async () => {
		const extra = { DATABASE_URL: testDatabase.url, NODE_ENV: "test" };
		await team.shell("npx drizzle-kit migrate", extra);
		const printed = await team.shell("node --test --test-reporter=spec isolation.test.ts", extra);
		return `no leaks, ${/reached (\d+)/.exec(printed)?.[1]} endpoints reached`;
	});

try {
	await plainApplication();
	const cookie = await signInBefore();
	await mountPlugin();
	const server = await team.start("server.ts", "listening");
	try {
		await serveTenants(cookie);
	} catch (error) {
		console.error(server.output());
		throw error;
	} finally {
		await server.stop();
	}
	await isolation();
	await report();
} finally {
	await team.remove();
	await database.drop();
	await testDatabase.drop();
}
