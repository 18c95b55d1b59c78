import { useIdentityProvider } from "test-kit/social";
import type { Answer } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createClosingWorld } from "./support/closing-world.ts";

const idp = useIdentityProvider();

describe.each(["postgres", "mysql", "sqlite"] as const)("a tenant that is deleted on %s with triggers", (database) => {
	describe.each([
		["without companions", false],
		["with companions", true],
	])("%s", (_, companions) => {
		const names = ["sign-up", "sign-in", "password reset", "API key", "social callback"];
		// threat 44
		it.each(companions ? [...names, "invitation"] : names)(
			"gets no row by a request of %s that was stopped at any step, and is deleted without waiting",
			async (name) => {
				const world = await createClosingWorld({ database, companions, idp: idp() });
				const { flows, stopAt, operate, orBlocked, rowsOf } = world;
				const flow = flows[name];
				if (!flow) throw new Error(`no flow ${name}`);
				let steps = 0;
				for (let nth = 1; ; nth += 1) {
					const tenant = await world.newTenant();
					const send = await flow(tenant);
					let deleting: Promise<Answer> | undefined;
					const answer = await stopAt(nth, send, async () => {
						deleting = operate("delete", tenant);
						await orBlocked(deleting);
					});
					if (answer === null) {
						// the request itself leaves rows, so that the others prove something
						expect(Object.keys(await rowsOf(tenant)).length).toBeGreaterThan(0);
						break;
					}
					expect((await deleting)?.json).toEqual({ success: true });
					expect([nth, await rowsOf(tenant)]).toEqual([nth, {}]);
					steps = nth;
				}
				expect(steps).toBeGreaterThan(0);
			},
		);
	});
});
