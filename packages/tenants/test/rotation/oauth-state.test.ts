import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { useIdentityProvider } from "test-kit/social";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createRotation, ROLLS } from "./support/secrets.ts";

const idp = useIdentityProvider();

// threat 97
describe.each(ROLLS)("while processes %s and %s run side by side", (left, right) => {
	it.each(["database", "cookie"] as const)(
		"ends a social sign-in at the other process, with the state in the %s",
		async (storeStateStrategy) => {
			const rotation = await createRotation({ engine: { account: { storeStateStrategy } } });
			for (const tenantId of [rotation.a, rotation.b]) {
				const credentials = { clientId: `client-of-${tenantId}`, clientSecret: canarySecret(tenantId) };
				idp().addClient({
					...credentials,
					redirectURIs: [`${ORIGIN}/api/auth/tenant/callback/gitlab/${tenantId}`],
				});
				// the last roll comes after reencrypt
				await rotation.at(left === "first" ? "first" : "before").auth.api.registerTenantOauthConfig({
					body: { tenantId, providerId: "gitlab", ...credentials, options: idp().gitlab },
				});
				for (const [starts, ends] of [
					[left, right],
					[right, left],
				] as const) {
					const browser = new Browser();
					const started = await rotation.at(starts).call("/tenant/sign-in/social", {
						browser,
						body: { tenantId, provider: "gitlab", callbackURL: "/home" },
					});
					const email = `${starts}@example.com`;
					const callback = await idp().authorize(started.json.url, { sub: `${tenantId}-${starts}`, email });
					// nobody else's browser can use the state
					const stranger = await rotation.at(ends).call(callback, { browser: new Browser() });
					expect(stranger.location).toContain("error");
					expect((await rotation.at(ends).call(callback, { browser })).location).toBe("/home");
					expect(await rotation.at(starts).emailOf(browser)).toBe(email);
					const again = await rotation.at(ends).call(callback, { browser });
					expect(again.location).toContain("error");
				}
			}
		},
	);
});
