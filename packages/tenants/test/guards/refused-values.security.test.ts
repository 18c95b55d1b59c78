import { randomBytes } from "node:crypto";
import { bearer } from "better-auth/plugins/bearer";
import { organization } from "better-auth/plugins/organization";
import { phoneNumber } from "better-auth/plugins/phone-number";
import { twoFactor } from "better-auth/plugins/two-factor";
import { username } from "better-auth/plugins/username";
import type { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";
import type { LimitsOptions } from "../../src/load/limits/limits.ts";

const NUL = "a\0b";

const createOffice = async (options: WorldOptions = { database: "postgres" }, limits: LimitsOptions = {}) => {
	const world = await createWorld({
		...options,
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, limits }, [bearer(), organization()]),
	});
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	return { world, a, b, browser: await world.signUp(a, "ada@example.com") };
};

const createOrganization = async (world: World, tenant: string, browser: Browser) => {
	const made = await world.call("/organization/create", { tenant, browser, body: { name: "Ours", slug: "ours" } });
	return { organizationId: made.json.id as string };
};

// threat 61
describe("a value that PostgreSQL rejects", () => {
	it("returns 400 in every input, and never the database's error", async () => {
		const { world, a, browser } = await createOffice();
		const json = { tenant: a, browser };
		const answers = await Promise.all([
			world.call("/sign-in/email", { tenant: a, body: { email: "ada@example.com", password: NUL } }),
			world.call("/sign-up/email", {
				tenant: a,
				body: { name: NUL, email: "eve@example.com", password: "a password 1" },
			}),
			world.call("/update-user", { ...json, body: { name: NUL } }),
			world.call("/reset-password", { tenant: a, body: { token: NUL, newPassword: "a password 1" } }),
			world.call("/organization/create", { ...json, body: { name: NUL, slug: "x" } }),
			world.call("/get-session", { headers: { authorization: "Bearer %00" } }),
			world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId: a, providerId: NUL } }),
			world.call("/tenant/get", { operator: true, query: { slug: NUL } }),
		]);
		for (const { status, text } of answers) {
			expect(status).toBeLessThan(500);
			expect(text).not.toMatch(/byte sequence|0x00|select|insert/i);
		}
		expect(answers.filter(({ code }) => code === "INVALID_VALUE").length).toBeGreaterThanOrEqual(4);
		expect(await world.database.query(`select "name" from "user"`)).toEqual([{ name: "Ada" }]);
	});

	it("returns 400 if it is too long for an index", async () => {
		// more than the default, so that the database decides
		const { world, a } = await createOffice({ database: "postgres" }, { fields: { user: { email: 10_000 } } });
		// hexadecimal digits of random bytes do not compress enough
		const email = `${randomBytes(4_000).toString("hex")}@example.com`;
		const answer = await world.call("/sign-up/email", {
			tenant: a,
			body: { name: "Eve", email, password: "a password 1" },
		});
		expect([answer.status, answer.code]).toEqual([400, "INVALID_VALUE"]);
	});
});

// threat 61
describe("a lone surrogate", () => {
	it("returns 400 where Better Auth would put it into a URL, at any depth", async () => {
		const world = await createWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [twoFactor(), organization()]),
		});
		const tenant = await world.newTenant();
		const browser = await world.signUp(tenant, "ada@example.com");
		const bodies: [string, object][] = [
			["/two-factor/enable", { password: PASSWORD, issuer: "\udfff" }],
			["/update-user", { name: "a\ud800" }],
			["/organization/create", { name: "Ours", slug: "ours", metadata: { deep: [{ in: ["it \ud800"] }] } }],
		];
		for (const [path, body] of bodies) {
			const answer = await world.call(path, { tenant, browser, body });
			expect([path, answer.status, answer.code]).toEqual([path, 400, "INVALID_VALUE"]);
		}
	});

	it("is distinguished from a surrogate pair, which is valid text", async () => {
		const world = await createWorld();
		const tenant = await world.newTenant();
		const browser = await world.signUp(tenant, "ada@example.com");
		expect((await world.call("/update-user", { tenant, browser, body: { name: "Ada 🦉" } })).status).toBe(200);
	});

	it("is found at any depth of a body", async () => {
		const world = await createWorld();
		const tenant = await world.newTenant();
		const body = `{"email":${"[".repeat(60)}"\\ud800"${"]".repeat(60)}}`;
		const headers = { "content-type": "application/json" };
		const answer = await world.call("/sign-in/email", { tenant, method: "POST", body, headers });
		expect([answer.status, answer.code]).toEqual([400, "INVALID_VALUE"]);
	});
});

// threat 61
it.each(["", "null", "1", '"text"', "true"])(
	"returns 400 for a body that is no object, if plugins read it: %j",
	async (body) => {
		const world = await createWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [phoneNumber(), username()]),
		});
		const tenant = await world.newTenant();
		const browser = await world.signUp(tenant, "ada@example.com");
		const headers = { "content-type": "application/json" };
		for (const path of ["/update-user", "/sign-up/email"])
			expect((await world.call(path, { browser, method: "POST", body, headers })).status).toBe(400);
	},
);

// threat 61
it.each([[{}], [[]], [7], [true]])("returns 400 for a username that is no string: %j", async (name) => {
	const plugins = withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [username()]);
	const world = await createWorld({ allPlugins: plugins });
	const tenant = await world.newTenant();
	const browser = await world.signUp(tenant, "ada@example.com");
	const body = { name: "Eve", email: "eve@example.com", password: "a password 1", username: name };
	for (const path of ["/tenant/sign-up/email", "/sign-up/email"])
		expect((await world.call(path, { tenant, body })).status).toBe(400);
	expect((await world.call("/update-user", { browser, body: { username: name } })).status).toBe(400);
});

// threat 61
describe.each(["sqlite", "postgres", "mysql"] as const)("on %s", (database) => {
	it("returns 400 for a list filter with a single value", async () => {
		const { world, a, browser } = await createOffice({ database });
		const { organizationId } = await createOrganization(world, a, browser);
		const query = { organizationId, filterField: "role", filterOperator: "in", filterValue: "owner" };
		const answer = await world.call("/organization/list-members", { tenant: a, browser, query });
		expect([answer.status, answer.code]).toEqual([400, "INVALID_VALUE"]);
	});

	it("returns 400 for sorting or filtering by an unknown field", async () => {
		const { world, a, browser } = await createOffice({ database });
		const { organizationId } = await createOrganization(world, a, browser);
		const queries: Record<string, string>[] = [{ sortBy: "email" }, { filterField: "email", filterValue: "x" }];
		for (const query of queries) {
			const asked = { tenant: a, browser, query: { organizationId, ...query } };
			const answer = await world.call("/organization/list-members", asked);
			expect([answer.status, answer.code]).toEqual([400, "INVALID_VALUE"]);
		}
	});

	it("returns no members for a filter that none matches", async () => {
		const { world, a, browser } = await createOffice({ database });
		const { organizationId } = await createOrganization(world, a, browser);
		const query = { organizationId, filterField: "role", filterValue: "nobody" };
		const answer = await world.call("/organization/list-members", { tenant: a, browser, query });
		expect([answer.status, answer.json]).toEqual([200, { members: [], total: 0 }]);
	});

	// threat 59
	it("changes nothing in an update of unknown fields, and pollutes no prototype", async () => {
		const { world, a, browser } = await createOffice({ database });
		const { organizationId } = await createOrganization(world, a, browser);
		const body = `{"organizationId":"${organizationId}","data":{"__proto__":{"polluted":"yes","name":"Theirs"}}}`;
		const answer = await world.call("/organization/update", { tenant: a, browser, body });
		expect(answer.status).toBe(200);
		expect(answer.json).toMatchObject({ id: organizationId, name: "Ours" });
		expect(({} as { polluted?: string }).polluted).toBeUndefined();
	});
});
