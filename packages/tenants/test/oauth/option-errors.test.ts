import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";

describe("options that do not fit the provider", () => {
	it("are rejected with the option, the provider and what it accepts", async () => {
		const world = await createWorld({ tenantAuth: { oauth: { allowPrivateHosts: false } } });
		const [tenantId] = [await world.newTenant(), await world.newTenant()];
		const cases: [string, object | undefined, RegExp][] = [
			["github", { issuer: "https://x.example" }, /^github has no option "issuer"\. Its options are prompt$/],
			["gitlab", { issuerUrl: "https://x.example" }, /^gitlab has no option "issuerUrl"\. Its options are .*issuer/],
			[
				"gitlab",
				{ issuer: "http://10.0.0.1" },
				/^options\.issuer of gitlab must be a URL .*https and on a public host$/,
			],
			["gitlab", { issuer: 7 }, /^options\.issuer of gitlab must be a URL/],
		];
		for (const [providerId, options, message] of cases) {
			const body = { tenantId, providerId, clientId: "c", clientSecret: "s", options };
			const answer = await world.call("/tenant/oauth-config/register", { operator: true, body });
			expect([answer.status, answer.code]).toEqual([400, "INVALID_PROVIDER_OPTIONS"]);
			expect(answer.json.message).toMatch(message);
		}
	});
});
