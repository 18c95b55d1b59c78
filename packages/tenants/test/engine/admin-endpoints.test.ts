import { oauthProvider } from "@better-auth/oauth-provider";
import { admin } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { actsOnUsers } from "../../src/endpoints/admin-endpoints.ts";

type Described = { path?: string; options: { metadata?: { SERVER_ONLY?: boolean } } };

const below = (endpoints: object): Described[] =>
	Object.values(endpoints as Record<string, Described>).filter(({ path }) => path?.startsWith("/admin/"));

describe("the endpoints below /admin", () => {
	it("act on users, unless they are the OAuth provider's, which requests cannot call", () => {
		const ofClients = below(oauthProvider({ loginPage: "/sign-in", consentPage: "/consent" }).endpoints);
		expect(ofClients.length).toBeGreaterThan(0);
		for (const { path, options } of ofClients)
			expect([path, actsOnUsers(path), options.metadata?.SERVER_ONLY]).toEqual([path, false, true]);
		const ofUsers = below(admin().endpoints).map(({ path }) => path);
		expect(ofUsers.length).toBeGreaterThan(10);
		expect(ofUsers.filter((path) => !actsOnUsers(path)).sort()).toEqual([
			"/admin/has-permission",
			"/admin/stop-impersonating",
		]);
	});
});
