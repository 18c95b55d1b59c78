import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { AUTH_URL, MANAGEMENT_KEY } from "../support/environment.ts";
import { createWorld } from "../support/world.ts";

const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

const worldWith = async (environment: Record<string, string>) => {
	const world = await createWorld({ environment });
	onTestFinished(world.close);
	const users = async (): Promise<unknown[]> => {
		const client = new pg.Client({ connectionString: world.database.url });
		await client.connect();
		const { rows } = await client.query(`select "tenantId" from "user"`);
		await client.end();
		return rows;
	};
	return { world, users };
};

it("opens sign-up on the platform only with PLATFORM_SIGN_UP", async () => {
	const { world, users } = await worldWith({});
	const closed = await (await world.start()).post("/sign-up/email", person);
	expect([closed.status, await closed.json()]).toMatchObject([403, { code: "PLATFORM_SIGN_UP_CLOSED" }]);
	expect(await users()).toEqual([]);

	const { tenants } = world.config;
	const open = await world.start({ tenants: { ...tenants, platformSignUp: true } });
	expect((await open.post("/sign-up/email", person)).status).toBe(200);
	expect(await users()).toEqual([{ tenantId: "platform" }]);
});

it.each([
	["is missing", null],
	["is not JSON", "{"],
	["is a list", "[]"],
	["has a URL in place of a domain", '{"https://login.acme.test":"tenant"}'],
	["lists a domain twice, in two spellings", '{"login.acme.test":"one","Login.Acme.test":"two"}'],
	["has something else than tenant ids", '{"login.acme.test":"not an id"}'],
])("does not start if the domains file %s, and names the variable", async (_what, text) => {
	const folder = await mkdtemp(join(tmpdir(), "domains-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const file = join(folder, "domains.json");
	if (text !== null) await writeFile(file, text);
	const { world } = await worldWith({ TENANT_RESOLVER: "custom-domain", TENANT_DOMAINS_FILE: file });
	await expect(world.start()).rejects.toThrow(/TENANT_DOMAINS_FILE cannot be used.*login\.acme\.com/s);
});

it("serves the domains of /tenant/domain/add if there is no domains file, and no other host", async () => {
	const { world, users } = await worldWith({
		TENANT_RESOLVER: "custom-domain",
		TRUSTED_PROXIES: "127.0.0.1",
		PLATFORM_HOSTS: "127.0.0.1",
		PLATFORM_SIGN_UP: "true",
	});
	const service = await world.start();
	const tenantId = await service.createTenant("acme");
	const manage = { authorization: `Bearer ${MANAGEMENT_KEY}` };
	const added = await service.post("/tenant/domain/add", { tenantId, domain: "login.acme.test" }, manage);
	expect(added.status).toBe(200);
	const signUpAt = (host: string, email: string) =>
		service.post(
			"/sign-up/email",
			{ ...person, email },
			{ "x-forwarded-host": host, origin: AUTH_URL.replace(/\/\/[^:/]*/, `//${host}`) },
		);
	expect((await signUpAt("login.acme.test", "ada@example.com")).status).toBe(200);
	expect((await signUpAt("login.globex.test", "bob@example.com")).status).toBe(404);
	expect((await signUpAt("auth.internal", "cy@example.com")).status).toBe(404);
	expect(await users()).toEqual([{ tenantId }]);
});
