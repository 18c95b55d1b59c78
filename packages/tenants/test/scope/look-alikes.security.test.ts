import { phoneNumber } from "better-auth/plugins";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant, withTenants } from "../../src/index.ts";

const NUMBER = "+15551234567";

const createPhones = async (database: "sqlite" | "postgres" | "mysql") => {
	const sent: { to: string; code: string }[] = [];
	const world = await createWorld({
		database,
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [
			phoneNumber({
				sendOTP: ({ phoneNumber: to, code }) => void sent.push({ to, code }),
				signUpOnVerification: { getTempEmail: (phone) => `${Buffer.from(phone).toString("hex")}@phone.example.com` },
			}),
		]),
	});
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	/** Returns the code that was sent. */
	const ask = async (tenant: string, to: string): Promise<string> => {
		const { status } = await world.call("/phone-number/send-otp", { tenant, body: { phoneNumber: to } });
		expect(status).toBe(200);
		// codes of the same millisecond have no order
		await new Promise((done) => setTimeout(done, 2));
		return sent.at(-1)?.code ?? "";
	};
	const verify = (tenant: string, phone: string, code: string) =>
		world.call("/phone-number/verify", { tenant, body: { phoneNumber: phone, code } });
	return { world, a, b, ask, verify };
};

// threat 158
describe.each(["sqlite", "postgres", "mysql"] as const)("a code for a number, on %s", (database) => {
	it("is found although a stranger asks for codes for look-alikes after it", async () => {
		const { a, b, ask, verify } = await createPhones(database);
		for (const tenant of [a, b]) {
			const code = await ask(tenant, NUMBER);
			for (const alike of [`${NUMBER} `, `${NUMBER}  `, `${NUMBER}\u200b`]) await ask(tenant, alike);
			expect([tenant, (await verify(tenant, NUMBER, code)).status]).toEqual([tenant, 200]);
		}
	});

	it("is not the code of a look-alike, and the other way round", async () => {
		const { a, b, ask, verify } = await createPhones(database);
		const alike = await ask(a, `${NUMBER} `);
		const neighbor = await ask(b, NUMBER);
		expect((await verify(a, NUMBER, alike)).status).toBe(400);
		expect((await verify(a, NUMBER, neighbor)).status).toBe(400);
		expect((await verify(a, `${NUMBER} `, alike)).status).toBe(200);
	});
});

// threat 158
it("finds a row behind more look-alikes than a page has, and counts no look-alike as one", async () => {
	const { world, a, b } = await createPhones("mysql");
	const { adapter } = await world.auth.$context;
	const create = (identifier: string, at: number) =>
		adapter.create({
			model: "verification",
			data: { identifier, value: "1", expiresAt: new Date(at), createdAt: new Date(at), updatedAt: new Date(at) },
		});
	for (const tenant of [a, b])
		await runWithTenant(tenant, async () => {
			const now = Date.now();
			await create("number", now);
			for (let number = 1; number <= 101; number += 1)
				await create(`number${" ".repeat(number)}`, now + 1_000 * number);
			const where = [{ field: "identifier", value: "number" }];
			const sortBy = { field: "createdAt", direction: "desc" } as const;
			const found = await adapter.findMany({ model: "verification", where, sortBy, limit: 1 });
			expect(found).toMatchObject([{ identifier: "number", tenantId: tenant }]);
			expect(await adapter.findOne({ model: "verification", where })).toMatchObject({ identifier: "number" });
			expect(await adapter.findMany({ model: "verification", where })).toHaveLength(1);
			const nobody = [{ field: "identifier", value: "NUMBER" }];
			expect(await adapter.findOne({ model: "verification", where: nobody })).toBeNull();
			expect(await adapter.findMany({ model: "verification", where: nobody, limit: 1 })).toEqual([]);
		});
});
