import { deviceAuthorization, magicLink, username } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

const TOO_LONG = [400, "FIELD_TOO_LONG"];
const IMAGE = 8_192;

describe.each(["sqlite", "postgres", "mysql"] as const)("a value longer than its field on %s", (database) => {
	// threat 154
	it("is not stored by a sign-up, in any tenant and on the platform", async () => {
		const world = await createWorld({ database });
		const tenants = [await world.newTenant(), await world.newTenant(), undefined];
		for (const tenant of tenants) {
			const signUp = (email: string, fields: object) =>
				world.call("/sign-up/email", { tenant, body: { name: "Ada", email, password: PASSWORD, ...fields } });
			const refused = await signUp("ada@example.com", { image: "x".repeat(IMAGE + 1) });
			expect([refused.status, refused.code]).toEqual(TOO_LONG);
			expect(refused.json.message).toMatch(/^image has more than 8192 characters\. .*limits\.fields/);
			expect((await signUp("ada@example.com", { name: "x".repeat(256) })).code).toBe("FIELD_TOO_LONG");
			expect((await signUp("ada@example.com", { image: "x".repeat(IMAGE) })).status).toBe(200);
		}
		const users = await world.database.query(`select image from ${database === "mysql" ? "`user`" : '"user"'}`);
		expect(users.map(({ image }) => String(image).length)).toEqual(tenants.map(() => IMAGE));
	});

	// threat 154
	it("is refused by every method that writes, inside and outside of transactions", async () => {
		const world = await createWorld({ database });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [a, b]) await world.signUp(tenant, "ada@example.com");
		const { adapter } = await world.auth.$context;
		const long = { image: "x".repeat(IMAGE + 1) };
		const where = [{ field: "email", value: "ada@example.com" }];
		const token = { identifier: "x", value: "x".repeat(16_385), expiresAt: new Date() };
		for (const tenant of [a, b])
			await runWithTenant(tenant, async () => {
				const { transaction } = adapter;
				const calls = [
					() => adapter.create({ model: "verification", data: token }),
					() => adapter.update({ model: "user", where, update: long }),
					() => adapter.updateMany({ model: "user", where, update: long }),
					() => adapter.incrementOne({ model: "user", where, increment: {}, set: long }),
					() => transaction((inside) => inside.create({ model: "verification", data: token })),
					() => transaction((inside) => inside.update({ model: "user", where, update: long })),
					() => transaction((inside) => inside.updateMany({ model: "user", where, update: long })),
					() => transaction((inside) => inside.incrementOne({ model: "user", where, increment: {}, set: long })),
				];
				for (const call of calls) await expect(call()).rejects.toMatchObject({ body: { code: "FIELD_TOO_LONG" } });
				expect(await adapter.findOne({ model: "user", where })).toMatchObject({ image: null });
			});
	});
});

// threat 154
it("returns the same whether or not the email is taken", async () => {
	const world = await createWorld({ engine: { emailAndPassword: { enabled: true, requireEmailVerification: true } } });
	const [tenant, other] = [await world.newTenant(), await world.newTenant()];
	const body = { name: "Ada", password: PASSWORD, image: "x".repeat(IMAGE + 1) };
	await world.call("/sign-up/email", { tenant, body: { ...body, email: "ada@example.com", image: undefined } });
	for (const path of ["/sign-up/email", "/tenant/sign-up/email"])
		for (const [tenantId, email] of [
			[tenant, "ada@example.com"],
			[tenant, "free@example.com"],
			[other, "ada@example.com"],
		]) {
			const answer = await world.call(path, { tenant: tenantId, body: { ...body, email } });
			expect([path, email, answer.status, answer.code]).toEqual([path, email, ...TOO_LONG]);
		}
});

// threat 154
it("is refused where a stranger or a user sends it: links, states, device codes, profiles and import", async () => {
	const world = await composedWorld(
		[magicLink({ sendMagicLink: async () => {} }), deviceAuthorization({ verificationUri: "/device" }), username()],
		{ engine: { socialProviders: { google: { clientId: "id", clientSecret: "secret" } } } },
	);
	for (const tenant of [world.a, world.b]) {
		const browser = await world.signUp(tenant, "ada@example.com");
		const calls: [string, object][] = [
			["/sign-in/magic-link", { email: "eve@example.com", name: "x".repeat(10_000) }],
			["/sign-in/magic-link", { email: "eve@example.com", metadata: { a: "x".repeat(16_000) }, name: "x".repeat(300) }],
			["/sign-in/social", { provider: "google", additionalData: { a: "x".repeat(20_000) } }],
			["/device/code", { client_id: "tv", scope: "x".repeat(10_000) }],
		];
		for (const [path, body] of calls) {
			const answer = await world.call(path, { tenant, body });
			expect([path, answer.status, answer.code]).toEqual([path, ...TOO_LONG]);
		}
		for (const [field, length] of Object.entries({ image: IMAGE, displayUsername: 2_048, name: 255 })) {
			const send = (characters: number) =>
				world.call("/update-user", { browser, body: { [field]: "x".repeat(characters) } });
			expect([field, (await send(length + 1)).code]).toEqual([field, "FIELD_TOO_LONG"]);
			expect([field, (await send(length)).status]).toEqual([field, 200]);
		}
	}
	expect(await world.database.query("select * from verification")).toEqual([]);
	expect(await world.database.query(`select * from "deviceCode"`)).toEqual([]);
});

it("refuses one user of an import, and imports the others", async () => {
	const world = await createWorld({ tenantAuth: { management: { keys: [MANAGEMENT_KEY], transfer: true } } });
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const users = [
		{ email: "ada@example.com", name: "Ada" },
		{ email: "bob@example.com", name: "x".repeat(256) },
		{ email: "eve@example.com", name: "Eve", image: "x".repeat(20_000) },
	];
	for (const tenantId of [a, b]) {
		const { json } = await world.call("/tenant/import-users", { operator: true, body: { tenantId, users } });
		expect(json).toMatchObject({
			imported: 1,
			refused: [
				{ index: 1, code: "FIELD_TOO_LONG" },
				{ index: 2, code: "FIELD_TOO_LONG" },
			],
		});
	}
});

describe("limits.fields", () => {
	it("changes the bound of one field, for all tenants", async () => {
		const world = await createWorld({
			tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, limits: { fields: { user: { image: 20 } } } },
		});
		for (const tenant of [await world.newTenant(), await world.newTenant()]) {
			const browser = await world.signUp(tenant, "ada@example.com");
			const send = (body: object) => world.call("/update-user", { browser, body });
			expect((await send({ image: "x".repeat(21) })).code).toBe("FIELD_TOO_LONG");
			expect((await send({ image: "x".repeat(20), name: "x".repeat(255) })).status).toBe(200);
		}
	});

	it.each([
		[{ user: { picture: 20 } }, /limits\.fields has "user\.picture", but the schema has no such field/],
		[{ users: { image: 20 } }, /limits\.fields has "users\.image"/],
		[{ user: { image: 0 } }, /limits\.fields\.user\.image must be a whole number/],
	])("refuses to start with %j", async (fields, message) => {
		await expect(createWorld({ tenantAuth: { limits: { fields } } })).rejects.toThrow(message);
	});
});
