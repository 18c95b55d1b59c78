import { useIdentityProvider } from "test-kit/social";
import type { Answer } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createClosingWorld } from "./support/closing-world.ts";

const idp = useIdentityProvider();

describe.each(["postgres", "mysql", "sqlite"] as const)(
	"a tenant that is suspended on %s with triggers",
	(database) => {
		// threat 107
		it.each(["sign-up", "sign-in", "API key", "social callback", "invitation", "new password", "new email"])(
			"gets no session and no way in by a request of %s that was stopped at any step",
			async (name) => {
				const world = await createClosingWorld({ database, companions: true, idp: idp() });
				const { flows, stopAt, operate, orBlocked, waysIn } = world;
				const flow = flows[name];
				if (!flow) throw new Error(`no flow ${name}`);
				for (let nth = 1; ; nth += 1) {
					const tenant = await world.newTenant();
					const send = await flow(tenant);
					const before = await waysIn(tenant);
					let suspended = before;
					let isAnswered = false;
					let suspending: Promise<Answer> | undefined;
					const answer = await stopAt(nth, send, async () => {
						suspending = operate("suspend", tenant, { reason: "incident" });
						isAnswered = await orBlocked(suspending);
						suspended = await waysIn(tenant);
					});
					if (answer === null) {
						expect(await waysIn(tenant)).not.toEqual(before);
						expect(nth).toBeGreaterThan(1);
						break;
					}
					expect((await suspending)?.json).toMatchObject({ lifecycle: { status: "suspended" } });
					// if the suspension had to wait for the request's transaction, the request came first
					const added = (await waysIn(tenant)).filter((way) => !suspended.includes(way));
					if (isAnswered) expect([nth, added]).toEqual([nth, []]);
				}
			},
		);
	},
);
