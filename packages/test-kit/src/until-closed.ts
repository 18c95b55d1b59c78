import { expect } from "vitest";
import type { World } from "./world.ts";

/** Waits until a deletion in progress has closed its tenant. */
export const untilClosed = (world: World, tenantId: string) =>
	expect
		.poll(() => world.database.query(`select "status" from "tenant" where "id" = '${tenantId}'`), {
			timeout: 30_000,
			interval: 20,
		})
		.toEqual([{ status: "deleting" }]);
