import type { BetterAuthOptions } from "@better-auth/core";
import { runWithRequestState } from "@better-auth/core/context";
import { expect, it } from "vitest";
import { bindFlow } from "../../src/features/oauth/bind-flow.ts";

/** What a request that links an account has of its context, with a provider of the application or the tenant. */
const bound = async (isOwnAuthority: boolean) => {
	const options: BetterAuthOptions = {};
	const context = {
		socialProviders: [{ id: "gitlab", isOwnAuthority, sharedRedirectURI: null }],
		trustedProviders: ["google"],
		options,
		baseURL: "http://localhost:3000/api/auth",
	};
	const request = { path: "/link-social", body: { provider: "gitlab" }, context };
	await runWithRequestState(new WeakMap(), () => bindFlow(request as never, "acme"));
	return context;
};

it("a server of the tenant's choice links no user by email, and its own account only if the user asks for it", async () => {
	const own = await bound(true);
	expect(own.options.account?.accountLinking?.disableImplicitLinking).toBe(true);
	expect(own.trustedProviders).toEqual(["gitlab"]);
	const global = await bound(false);
	expect(global.options.account?.accountLinking?.disableImplicitLinking).toBeUndefined();
	expect(global.trustedProviders).toEqual(["google"]);
});
