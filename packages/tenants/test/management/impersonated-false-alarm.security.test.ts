import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";

it("does not take a person for an operator because the page's address says so", async () => {
	const world = await createWorld();
	const tenant = await world.newTenant();
	const browser = await world.signUp(tenant, "ada@example.com");
	// a link that a stranger sent; the page's own calls carry its address
	const referer = `http://localhost:3000/?x=impersonated-${"a".repeat(32)}~`;
	const answer = await world.call("/update-user", { browser, body: { name: "Ada L." }, headers: { referer } });
	expect([answer.status, answer.code]).toEqual([200, undefined]);
});
