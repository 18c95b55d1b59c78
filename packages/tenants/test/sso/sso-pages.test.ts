import { Browser } from "test-kit/browser";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { registration, startOpenIdServer } from "./support/openid-server.ts";
import { callbackOf, ssoWorld } from "./support/sso-world.ts";

describe("an SSO sign-in under a tenant", () => {
	it("sends verification emails with working links, in both tenants", async () => {
		const server = await startOpenIdServer(() => ({ sub: "ada", email: "ada@corp.example" }));
		const mails: string[] = [];
		const sendVerificationEmail = async ({ url }: { url: string }) => void mails.push(url);
		const world = await ssoWorld([server.issuer], {
			engine: { emailVerification: { sendOnSignUp: true, sendVerificationEmail } },
		});
		for (const tenant of [world.a, world.b]) {
			server.allow((await world.registered(tenant, registration(server.issuer, "okta"))).redirectURI);
			const { browser, url } = await world.begin(tenant);
			await world.call(await server.visit(url.href), { browser });
			const link = mails.pop() ?? "";
			expect(link).toContain(`${ORIGIN}/api/auth/verify-email?token=`);
			await world.call(link, { browser: new Browser() });
			expect(await world.whoami(browser)).toMatchObject({ tenantId: tenant, emailVerified: true });
		}
	});

	it("ends at Better Auth's error page, or the application's, without another target", async () => {
		for (const [engine, page] of [
			[{}, `${ORIGIN}/api/auth/error`],
			[{ onAPIError: { errorURL: "/oops" } }, "/oops"],
		] as const) {
			const world = await ssoWorld([], { engine });
			const answer = await world.call(callbackOf(world.a), { query: { code: "code", state: "unknown" } });
			expect(answer.location).toBe(`${page}?error=state_mismatch`);
			expect(answer.headers.get("cache-control")).toBe("no-store");
		}
	});
});
