import { createAuthEndpoint } from "@better-auth/core/api";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { providerWorld } from "./support/provider-world.ts";

type Target = { tenant?: string | undefined; userId?: string };

/** Server code that ends the sessions of a tenant's user, in a request of the platform or of another tenant. */
const backOffice = (target: Target) => ({
	id: "back-office",
	endpoints: {
		endSessions: createAuthEndpoint("/back-office/end-sessions", { method: "GET" }, async (ctx) => {
			const { tenant = "", userId = "" } = target;
			await runWithTenant(tenant, () => ctx.context.internalAdapter.deleteUserSessions(userId));
			return { ok: true };
		}),
	},
});

const setUp = async () => {
	const posted: string[] = [];
	vi.stubGlobal("fetch", async (_url: string, init: { body?: unknown }) => {
		posted.push(String(init?.body));
		return new Response(null, { status: 204 });
	});
	onTestFinished(() => void vi.unstubAllGlobals());
	const target: Target = {};
	const world = await providerWorld({
		plugins: [backOffice(target)],
		// as the OAuth provider's documentation recommends
		jwt: { disableSettingJwtHeader: true },
		client: { backchannel_logout_uri: "https://client.example.com/logout", scope: "openid offline_access read" },
	});
	const { b } = world.sides;
	Object.assign(target, { tenant: b.tenant, userId: b.userId });
	const signIn = async () => {
		const browser = new Browser();
		const body = { email: "ada@example.com", password: PASSWORD };
		await world.ok("/sign-in/email", { tenant: b.tenant, browser, body });
		return browser;
	};
	return { ...world, b, posted, signIn };
};

describe.each(["platform", "a"] as const)("ending the sessions of a tenant's user in a request of %s", (from) => {
	// threats 53 and 80
	it("leaves the tenant with a signing key that decrypts", async () => {
		const { b, sides, tokensOf, call, ok, signIn } = await setUp();
		// an opaque token: the tenant has no signing key yet
		expect((await tokensOf(b, {}, { scope: "offline_access read" })).access_token).toBeTruthy();
		await ok("/back-office/end-sessions", { browser: sides[from].browser });
		const token = await call("/token", { browser: await signIn() });
		expect([token.status, typeof token.json?.token]).toEqual([200, "string"]);
	});
});
