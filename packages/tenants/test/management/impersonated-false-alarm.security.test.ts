import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";

it("does not treat a user as an operator because of the page's URL", async () => {
	const world = await createWorld();
	const tenant = await world.newTenant();
	const browser = await world.signUp(tenant, "ada@example.com");
	// an attacker's link: the page's own requests send its URL as the referer
	const referer = `http://localhost:3000/?x=impersonated-${"a".repeat(32)}~`;
	const answer = await world.call("/update-user", { browser, body: { name: "Ada L." }, headers: { referer } });
	expect([answer.status, answer.code]).toEqual([200, undefined]);
});
