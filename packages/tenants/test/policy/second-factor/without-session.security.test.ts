import { Browser } from "test-kit/browser";
import { expect, it } from "vitest";
import { policyWorld } from "../support/policy-world.ts";

it("GET /tenant/second-factor returns 401 without a session", async () => {
	const { a, b, call, signUp } = await policyWorld();
	const browser = await signUp(b, "ada@example.com");
	for (const options of [{ tenant: a }, { tenant: a, browser: new Browser() }]) {
		const refused = await call("/tenant/second-factor", options);
		expect([refused.status, refused.code]).toEqual([401, "UNAUTHORIZED"]);
	}
	expect((await call("/tenant/second-factor", { browser })).json).toEqual({ secondFactor: null });
});
