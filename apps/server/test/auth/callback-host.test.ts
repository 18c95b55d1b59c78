import { afterAll, beforeAll, expect, it } from "vitest";
import { makeHostWorld } from "./host-world.ts";
import { cookieHeader } from "./world.ts";

const CALLBACK_HOST = "callback.app.example.com";
const SHARED = `https://${CALLBACK_HOST}/api/auth/tenant/shared-callback/gitlab`;

let service: Awaited<ReturnType<typeof makeHostWorld>>;
beforeAll(async () => {
	service = await makeHostWorld(
		{ TENANT_RESOLVER: "custom-domain,subdomain", OAUTH_CALLBACK_HOST: CALLBACK_HOST },
		({ globex }) => ({ "login.globex.com": globex.id }),
	);
}, 60_000);
afterAll(() => service.close());

it("signs in at both tenants' hosts through one redirect URI", async () => {
	const { world, provider } = service;
	for (const { host, tenantId } of [
		{ host: "acme.app.example.com", tenantId: world.acme.id },
		{ host: "login.globex.com", tenantId: world.globex.id },
	]) {
		const body = { provider: "gitlab", callbackURL: "/home" };
		const begun = await world.call("/tenant/sign-in/social", { host, headers: { origin: `https://${host}` }, body });
		const { searchParams } = new URL(String(begun.json.url));
		expect(searchParams.get("redirect_uri")).toBe(SHARED);
		const query = new URLSearchParams({ code: "code", state: searchParams.get("state") ?? "" });
		const path = `/api/auth/tenant/shared-callback/gitlab?${query}`;
		// no other host of the platform or of a tenant takes it
		for (const elsewhere of [host, "auth.example.com"])
			expect((await world.call(path, { host: elsewhere })).status).toBe(404);
		const handed = await world.call(path, { host: CALLBACK_HOST });
		expect(provider.redirectURIs.at(-1)).toBe(SHARED);
		expect(handed.cookies).toEqual([]);
		const target = new URL(handed.headers.get("location") ?? "");
		expect(target.origin).toBe(`https://${host}`);
		const ended = await world.call(`${target.pathname}${target.search}`, {
			host,
			headers: { cookie: cookieHeader(begun.cookies) },
		});
		expect(ended.headers.get("location")).toMatch(/\/home$/);
		const session = await world.call("/get-session", { host, headers: { cookie: cookieHeader(ended.cookies) } });
		expect(session.json.session).toMatchObject({ tenantId });
	}
});
