import { createWorld, PASSWORD, type World } from "test-kit/world";
import { expect, it } from "vitest";

const engine = { emailAndPassword: { enabled: true, requireEmailVerification: true } };
const signUp = (world: World, tenant: string, email: string, more: object = {}) =>
	world.call("/sign-up/email", { tenant, body: { name: "Ada", email, password: PASSWORD, ...more } });

// threat 52
it("responds alike to new and taken emails if the database rejects the name", async () => {
	const world = await createWorld({ database: "postgres", engine });
	const tenant = await world.newTenant();
	await signUp(world, tenant, "taken@example.com");
	const taken = await signUp(world, tenant, "taken@example.com", { name: "A\u0000" });
	const free = await signUp(world, tenant, "free@example.com", { name: "A\u0000" });
	expect(taken.status).toBe(free.status);
});

// threat 52
it("returns ids of the same form for new and taken emails if ids are numeric", async () => {
	const world = await createWorld({ engine: { ...engine, advanced: { database: { generateId: "serial" } } } });
	const tenant = await world.newTenant();
	const free = await signUp(world, tenant, "taken@example.com");
	const taken = await signUp(world, tenant, "taken@example.com");
	expect(/^\d+$/.test(taken.json.user.id)).toBe(/^\d+$/.test(free.json.user.id));
});

// threat 52
it("returns additional fields alike, including dates and fields with an output transform", async () => {
	const additionalFields = {
		birthday: { type: "date", required: false },
		motto: { type: "string", required: false, transform: { output: (value: unknown) => `${value}!` } },
	} as const;
	const world = await createWorld({ engine: { ...engine, user: { additionalFields } } });
	const tenant = await world.newTenant();
	const sent = { birthday: "2000-01-01", motto: "x" };
	const shown = async () => {
		const { birthday, motto } = (await signUp(world, tenant, "taken@example.com", sent)).json.user;
		return { birthday, motto };
	};
	const free = await shown();
	expect(await shown()).toEqual(free);
});
