import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createAdministered } from "./support/administered.ts";

/** A deadlock needs luck, so there are several rounds. */
const ROUNDS = 6;

describe.each(["postgres", "mysql"] as const)("a user whom two requests delete at once (%s)", (database) => {
	it("is deleted once, and nobody gets a server error", async () => {
		const { world, a, b, inA, join, act, rolesIn } = await createAdministered({ database });
		const before = await rolesIn(b);
		const statuses = new Set<number>();
		for (let round = 0; round < ROUNDS; round += 1) {
			const user = await join(a, `round-${round}`, "owner");
			const leave = () => world.call("/delete-user", { browser: user.browser.copy(), body: { password: PASSWORD } });
			const remove = () => act(inA.owner, "remove", user);
			for (const { status } of await Promise.all([leave(), remove(), leave(), remove()])) statuses.add(status);
			expect(await rolesIn(a)).not.toHaveProperty([user.email]);
		}
		expect([...statuses].filter((status) => status >= 500)).toEqual([]);
		expect(await rolesIn(b)).toEqual(before);
	});
});
