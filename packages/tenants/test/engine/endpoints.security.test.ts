import { globSync, readFileSync } from "node:fs";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";
import { UNKNOWN } from "../../src/endpoints/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../src/endpoints/endpoints.ts";

/** A plugin that the endpoint table does not list. */
const unlisted = {
	id: "unlisted",
	endpoints: {
		whoami: createAuthEndpoint("/unlisted/whoami", { method: "GET", use: [sessionMiddleware] }, async (ctx) => ({
			tenantId: (ctx.context.session.session as { tenantId?: string }).tenantId,
			providers: ctx.context.socialProviders.map(({ id }) => id),
		})),
	},
} satisfies BetterAuthPlugin;

// threats 30 and 65
it("treats an unlisted endpoint as the session's tenant's, and rejects other hints", async () => {
	const { newTenant, signUp, call } = await createWorld({ plugins: [unlisted] });
	const [a, b] = [await newTenant("acme"), await newTenant("globex")];
	const browser = await signUp(a, "ada@example.com");
	await signUp(b, "ada@example.com");
	expect((await call("/unlisted/whoami", { browser })).json.tenantId).toBe(a);
	for (const tenant of [b, "no-such-tenant", "platform"]) {
		const { status, code } = await call("/unlisted/whoami", { browser: browser.copy(), tenant });
		expect([tenant, status, code]).toEqual([tenant, 403, "SESSION_TENANT_MISMATCH"]);
	}
});

it("treats every unlisted path as the strictest kind", () => {
	for (const path of [undefined, "", "/", "constructor", "__proto__", "/unlisted", "/SIGN-IN/EMAIL", "/tenant-x/list"])
		expect([path, endpointOf(path)]).toEqual([path, UNKNOWN]);
	expect(UNKNOWN).toMatchObject({ kind: "member", needsProviders: true, allowedWhileImpersonating: false });
});

it("matches unlisted endpoints by path prefix", () => {
	const kinds = Object.entries({
		"/sign-in": "entry",
		"/sign-in/carrier-pigeon": "entry",
		"/sign-inside": "member",
		"/tenant/sign-up/fax": "entry",
		"/tenant/callback/:id/later": "callback",
		"/tenant/later": "management",
		"/oauth2/callback/:providerId": "callback",
		"/oauth2/later": "member",
		"/email-otp/later": "open",
		"/scim/v2/Later": "open",
		"/scim/later": "member",
		"/sso/callback/:providerId/later": "member",
		"/tenants/:tenantId/sso/later": "addressed",
		"/tenants/acme/sso/later": "member",
	});
	for (const [path, kind] of kinds) expect([path, endpointOf(path).kind]).toEqual([path, kind]);
	expect(endpointOf("/tenant/later").needsProviders).toBe(false);
	// nobody has read it, so it may take a code, and name anyone
	expect(endpointOf("/tenant/later")).toMatchObject({
		takesCode: true,
		namesUsers: ["email", "newEmail", "username", "phoneNumber"],
	});
	expect(endpointOf("/two-factor/later").answersChallenge).toBe(true);
	expect([endpointOf("/sso/later").endsFlow, endpointOf("/sso/callback-later").endsFlow]).toEqual(["none", "sso"]);
});

it("delegates to listed endpoints only", () => {
	for (const { delegatesTo } of Object.values(ENDPOINTS))
		if (delegatesTo) expect(Object.keys(ENDPOINTS)).toContain(delegatesTo);
});

const SOURCES = new URL("../../src/", import.meta.url);

it("keeps decisions by path on the floor of the endpoints", () => {
	const elsewhere = globSync("**/*.ts", {
		cwd: SOURCES.pathname,
		exclude: ["endpoints/**", "features/testing/**"],
	}).flatMap((file) =>
		readFileSync(new URL(file, SOURCES), "utf8")
			.split("\n")
			.filter((line) => !/^\s*(\*|\/)/.test(line))
			.flatMap((line) => [...line.matchAll(/"(\/[^"]+)"/g)].map(([, path]) => [file, path ?? ""] as const))
			.filter(([, path]) => path in ENDPOINTS && !path.startsWith("/tenant/")),
	);
	expect(elsewhere.toSorted()).toEqual([
		// reads a link that Better Auth writes
		["engine/change-email-link.ts", "/verify-email"],
		// matches every callback of the SSO plugin
		["features/oauth/flow-binding.ts", "/sso/callback"],
		// an example in an error message
		["plugin/options.ts", "/organization/list"],
		// the default of an option of the jwt plugin
		["scope/request/per-tenant-instances.ts", "/jwks"],
	]);
});
