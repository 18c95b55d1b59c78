import { startSocial, useIdentityProvider } from "test-kit/social";
import { type Answer, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { ada, asForm, createSocialPair, start } from "./support/two-tenants.ts";

const idp = useIdentityProvider();

describe("responses with user data", () => {
	// threat 38
	it("are not cached: sign-up, sign-in, the social start and its callback", async () => {
		const { world, a, b } = await createSocialPair(idp());
		for (const tenantId of [a, b]) {
			const person = { tenantId, name: "x", email: "x@example.com", password: PASSWORD };
			const { browser, callback } = await startSocial(world, idp(), tenantId, ada);
			const answers: [string, number, Answer][] = [
				["sign-up", 200, await world.call("/tenant/sign-up/email", { body: person })],
				["sign-in", 200, await world.call("/tenant/sign-in/email", { body: person })],
				["social", 200, await start(world, tenantId, "gitlab")],
				["social form", 302, await world.call("/tenant/sign-in/social", asForm({ tenantId, provider: "gitlab" }))],
				["callback", 302, await world.call(callback, { browser })],
				["callback again", 302, await world.call(callback, { browser })],
				["sign-up with a taken email", 422, await world.call("/tenant/sign-up/email", { body: person })],
				[
					"sign-in with another password",
					401,
					await world.call("/tenant/sign-in/email", { body: { ...person, password: "another password" } }),
				],
				["callback without a state", 302, await world.call("/tenant/callback/gitlab")],
			];
			for (const [name, status, answer] of answers) {
				const seen = [name, answer.status, answer.headers.get("cache-control")];
				expect(seen).toEqual([name, status, "no-store"]);
			}
		}
	});
});
