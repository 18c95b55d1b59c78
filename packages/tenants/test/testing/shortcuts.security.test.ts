import type { AuthContext } from "@better-auth/core";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { responseFloorOf } from "../../src/features/email/response-floor.ts";
import { closedTenantsOf } from "../../src/features/tenants/closing.ts";
import { takeShortcuts } from "../../src/features/testing/shortcuts.ts";
import { enginePasswordOf } from "../../src/load/hashing/bounded-hashing.ts";
import { findTenantLeaks } from "../../src/testing.ts";

/** A world with a rate limit, and what the shortcuts change. */
const createLimited = async () => {
	const world = await createWorld({ engine: { rateLimit: { enabled: true }, logger: { disabled: true } } });
	const context = (await world.auth.$context) as AuthContext;
	const state = () => {
		const responseFloor = responseFloorOf({ context });
		const closed = closedTenantsOf({ context });
		const enginePassword = enginePasswordOf({ context });
		return {
			limits: context.rateLimit.enabled,
			floor: responseFloor.milliseconds,
			grace: closed.drainTime,
			hash: enginePassword.hash,
			verify: enginePassword.verify,
		};
	};
	return { ...world, context, state };
};

describe("the shortcuts of the isolation test", () => {
	it("are taken by one run at a time, so none mistakes them for the application's own functions", async () => {
		const { context, state, auth } = await createLimited();
		const before = state();
		const end = takeShortcuts(context);
		expect(state()).toMatchObject({ limits: false, floor: 0, grace: 0 });
		expect(() => takeShortcuts(context)).toThrow("another run");
		await expect(findTenantLeaks(auth, { log: false })).rejects.toThrow("Await it first");
		end();
		expect(state()).toEqual(before);
		takeShortcuts(context)();
		expect(state()).toEqual(before);
	});

	it("end if the run fails, and if it cannot clean up", async () => {
		const { auth, state, database } = await createLimited();
		const before = state();
		const failing = findTenantLeaks(auth, {
			log: false,
			prepare: async () => {
				// the cleanup reads all tables
				await database.query('alter table "tenantDomain" rename to "gone"');
				throw new Error("prepare failed");
			},
		});
		await expect(failing).rejects.toThrow();
		expect(state()).toEqual(before);
	});
});
