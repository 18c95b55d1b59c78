import { expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createImpersonable } from "./impersonating.ts";

// threat 44
it.each([false, true])("creates no session for a user who is deleted while `audit` runs (Redis: %s)", async (redis) => {
	let remove = async (): Promise<void> => {};
	const { world, impersonate, a, adaId } = await createImpersonable({
		redis,
		management: { keys: ["test-management-key-0123456789abcdef"], impersonation: {}, audit: () => remove() },
	});
	const { internalAdapter } = await world.auth.$context;
	remove = () => runWithTenant(a, () => internalAdapter.deleteUser(adaId));
	const impersonated = await impersonate();
	expect(impersonated.status).not.toBe(200);
});
