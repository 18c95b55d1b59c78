import { expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createEnterable } from "./entering.ts";

// threat 44
it.each([false, true])(
	"gives no session of a user who was deleted while the audit was written (redis: %s)",
	async (redis) => {
		let remove = async (): Promise<void> => {};
		const { world, enter, a, adaId } = await createEnterable({
			redis,
			management: { keys: ["test-management-key-0123456789abcdef"], enter: {}, audit: () => remove() },
		});
		const { internalAdapter } = await world.auth.$context;
		remove = () => runWithTenant(a, () => internalAdapter.deleteUser(adaId));
		const entered = await enter();
		expect(entered.status).not.toBe(200);
	},
);
