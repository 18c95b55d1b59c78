import { betterAuth } from "better-auth";
import { afterEach, describe, expect, it } from "vitest";
import { migrate } from "../../src/schema/migrate.ts";
import { checkSchema, findPending } from "../../src/schema/schema-check.ts";
import { openProcess, type Process } from "../auth/world.ts";
import { createTestDatabase } from "../support/database.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const quiet = () => {};
const ALL = "admin,jwt,multi-session,organization,two-factor,username";

/** A database of a configuration without plugins, with two tenants and a user in each. */
const deployed = async () => {
	const database = await createTestDatabase();
	closers.push(database.drop);
	const open = (environment: Record<string, string> = {}): Process => {
		const opened = openProcess({ DATABASE_URL: database.url, DELETION_DRAIN_TIME: "0", ...environment });
		closers.push(opened.close);
		return opened;
	};
	const old = open();
	await migrate(old.auth, old.pool, quiet);
	const tenants = await Promise.all(
		["acme", "globex"].map((slug) => old.auth.api.createTenant({ body: { name: slug, slug } })),
	);
	for (const { id } of tenants) expect((await old.signUp(id, "ada@example.com")).status).toBe(200);
	return { open, old, tenants: tenants.map(({ id }) => id) };
};

/** What a process does for its users and operators. */
const serves = async ({ auth, signUp, signIn }: Process, tenants: string[], name: string): Promise<void> => {
	for (const id of tenants) {
		expect(await signIn(id, "ada@example.com")).toMatchObject({ status: 200 });
		expect(await signUp(id, `${name}@example.com`)).toMatchObject({ status: 200 });
	}
	const made = await auth.api.createTenant({ body: { name, slug: name } });
	expect(await signUp(made.id, "eva@example.com")).toMatchObject({ status: 200 });
	expect(await auth.api.deleteTenant({ body: { tenantId: made.id } })).toMatchObject({ success: true });
};

describe("after migrate", () => {
	it("serves with the previous configuration, in running processes and in new ones", async () => {
		const { open, old, tenants } = await deployed();
		const next = open({ PLUGINS: ALL });
		await migrate(next.auth, next.pool, quiet);
		await serves(old, tenants, "running");
		const restarted = open();
		expect(await checkSchema(restarted.auth, restarted.pool)).toEqual([]);
		await serves(restarted, tenants, "restarted");
		await serves(next, tenants, "next");
	});

	it("lets the previous configuration start while an index of the new one is not complete", async () => {
		const { open, old } = await deployed();
		const next = open({ PLUGINS: "username" });
		await migrate(next.auth, next.pool, quiet);
		await old.pool.query(`drop index "user_tenantUnique_username_uidx"`);
		await old.pool.query(`update "user" set "tenantUnique_username" = 'same'`);
		const build = `create unique index concurrently "user_tenantUnique_username_uidx" on "user" ("tenantUnique_username")`;
		await expect(old.pool.query(build)).rejects.toThrow();
		const restarted = open();
		expect(await checkSchema(restarted.auth, restarted.pool)).toEqual([]);
		expect(await migrate(restarted.auth, restarted.pool, quiet)).toEqual([]);
		expect(await checkSchema(next.auth, next.pool)).toEqual([
			"The creation of index user_tenantUnique_username_uidx was interrupted. Run `migrate`",
		]);
	});

	it("keeps the new indexes when the previous configuration is migrated again", async () => {
		const { open, old, tenants } = await deployed();
		const next = open({ PLUGINS: ALL });
		await migrate(next.auth, next.pool, quiet);
		expect(await migrate(old.auth, old.pool, quiet, { contract: true })).toEqual([]);
		expect(await checkSchema(next.auth, next.pool)).toEqual([]);
		const named = (email: string) => ({ name: "Bo", email, password: "correct horse battery", username: "bobby" });
		const [acme, globex] = tenants;
		const signUp = (tenant: string | undefined, email: string) =>
			next.call("/tenant/sign-up/email", { tenant: tenant ?? "", body: named(email) });
		expect((await signUp(acme, "bo@example.com")).status).toBe(200);
		expect((await signUp(globex, "bo@example.com")).status).toBe(200);
		expect((await signUp(acme, "other@example.com")).status).toBe(400);
	});
});

describe("a new required column", () => {
	/** the next version: its users have a country */
	const withCountry = ({ auth }: Process) => {
		const options = {
			...auth.options,
			user: { ...auth.options.user, additionalFields: { country: { type: "string" as const, required: true } } },
		};
		return { options, $context: betterAuth(options).$context };
	};

	it("is optional until the migration contracts, so the previous version can sign users up", async () => {
		const { old, tenants } = await deployed();
		const next = withCountry(old);
		expect(await migrate(next, old.pool, quiet)).toEqual(["added country to table user"]);
		await serves(old, tenants, "old");
		expect(await checkSchema(next, old.pool)).toEqual([]);
		const step = 'alter table "user" alter column "country" set not null';
		expect(await findPending(next, old.pool)).toEqual([step]);

		// their rows have no country yet
		await expect(migrate(next, old.pool, quiet, { contract: true })).rejects.toThrow(/Set it in each of them/);
		await old.pool.query(`update "user" set "country" = 'NZ'`);
		expect(await migrate(next, old.pool, quiet, { contract: true })).toEqual(["made country required in table user"]);
		expect(await findPending(next, old.pool)).toEqual([]);
		await expect(old.pool.query(`update "user" set "country" = null`)).rejects.toThrow(/country/);
		const { rows } = await old.pool.query("select conname from pg_constraint where conname like '%_required'");
		expect(rows).toEqual([]);
	});

	it("is completed after an interruption between its statements", async () => {
		const { old } = await deployed();
		const next = withCountry(old);
		await migrate(next, old.pool, quiet);
		await old.pool.query(`update "user" set "country" = 'NZ'`);
		await old.pool.query(
			`alter table "user" add constraint "user_country_required" check (not "country" is null) not valid`,
		);
		await migrate(next, old.pool, quiet, { contract: true });
		expect(await findPending(next, old.pool)).toEqual([]);
	});
});
