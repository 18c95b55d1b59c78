import { describe, it } from "vitest";
import { PROVIDERS, requiredOf } from "./support/expected-providers.ts";
import { createStrictWorld, expectRefused, forbidNetwork } from "./support/provider-requests.ts";

forbidNetwork();

// threat 23
describe("provider settings that try to reach another server", () => {
	it("are rejected under names that no provider accepts", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		const never = {
			authorizationEndpoint: "https://evil.com/authorize",
			tokenEndpoint: "https://evil.com/token",
			redirectURI: "https://evil.com",
			clientId: "another",
			clientSecret: "another",
			clientAssertion: "another",
			scope: ["admin"],
			disableIdTokenSignIn: false,
			verifyIdToken: true,
			getUserInfo: "x",
			mapProfileToUser: "x",
			refreshAccessToken: "x",
			audience: "another",
			pkce: false,
			fields: ["x"],
			constructor: "x",
			toString: "x",
		};
		for (const [providerId] of PROVIDERS) {
			for (const [name, value] of Object.entries(never)) {
				await expectRefused(world, tenantId, providerId, { ...requiredOf(providerId), [name]: value });
			}
		}
		await expectRefused(world, tenantId, "cloudflare", { tokenEndpointAuthMethod: "none" });
		await expectRefused(world, tenantId, "dropbox", { accessType: "legacy" });
	});
});
