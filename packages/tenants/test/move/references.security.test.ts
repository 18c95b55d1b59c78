import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";
import { moveUsersToTenant } from "../../src/index.ts";

const manager = { type: "string", required: false, references: { model: "user", field: "id" } } as const;

/** Ada reports to Grace, in the first tenant. */
const createManaged = async () => {
	const world = await composedWorld([], { engine: { user: { additionalFields: { managerId: manager } } } });
	const signUp = async (tenant: string, name: string): Promise<string> =>
		(await world.whoami(await world.signUp(tenant, `${name}@example.com`))).user.id;
	const [ada, grace] = [await signUp(world.a, "ada"), await signUp(world.a, "grace")];
	await signUp(world.b, "edsger");
	await world.database.query(`update "user" set "managerId" = '${grace}' where "id" = '${ada}'`);
	return { ...world, ada, grace };
};

describe("users that refer to each other", () => {
	// threat 86
	it("move together, and neither of them alone", async () => {
		const { a, b, auth, ada, grace, tenantsOf } = await createManaged();
		for (const userId of [ada, grace]) {
			const { moved, collisions } = await moveUsersToTenant(auth, { from: a, to: b, userIds: [userId] });
			expect([moved, collisions]).toMatchObject([0, [{ userId, code: "ROW_STAYS_BEHIND", field: "managerId" }]]);
		}
		expect(await tenantsOf("user")).toEqual([a, a, b].sort());
		const steps: number[] = [];
		const onProgress = ({ moved }: { moved: number }) => void steps.push(moved);
		const call = { from: a, to: b, userIds: [ada, grace], batchSize: 1, onProgress };
		expect(await moveUsersToTenant(auth, call)).toMatchObject({ moved: 2, collisions: [] });
		expect(steps[0]).toBe(2);
		expect(await tenantsOf("user")).toEqual([b, b, b]);
	});
});
