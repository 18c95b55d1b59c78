import { expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createImpersonable } from "./impersonating.ts";

// threat 44
it.each([false, true])(
	"gives no session of a user who was deleted while the audit was written (redis: %s)",
	async (redis) => {
		let remove = async (): Promise<void> => {};
		const { world, impersonate, a, adaId } = await createImpersonable({
			redis,
			management: { keys: ["test-management-key-0123456789abcdef"], impersonation: {}, audit: () => remove() },
		});
		const { internalAdapter } = await world.auth.$context;
		remove = () => runWithTenant(a, () => internalAdapter.deleteUser(adaId));
		const impersonated = await impersonate();
		expect(impersonated.status).not.toBe(200);
	},
);
