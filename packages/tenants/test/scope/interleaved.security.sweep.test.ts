import type { Browser } from "test-kit/browser";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";

describe("a user", () => {
	// threat 53
	it("gets their own session in each of 500 interleaved requests", async () => {
		const world = await createWorld({ database: "postgres" });
		const people: { browser: Browser; tenantId: string; email: string }[] = [];
		for (let n = 0; n < 10; n += 1) {
			const tenantId = await world.newTenant();
			people.push({
				browser: await world.signUp(tenantId, `person-${n % 3}@example.com`),
				tenantId,
				email: `person-${n % 3}@example.com`,
			});
		}
		const wrong: string[] = [];
		await Promise.all(
			Array.from({ length: 500 }, async (_, n) => {
				const person = people[n % people.length];
				const seen = (await world.call("/get-session", { browser: person?.browser.copy() })).json;
				if (seen?.session.tenantId !== person?.tenantId || seen?.user.email !== person?.email) wrong.push(`${n}`);
			}),
		);
		expect(wrong).toEqual([]);
	});
});
