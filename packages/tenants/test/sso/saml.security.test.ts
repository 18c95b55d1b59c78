import type { Browser } from "test-kit/browser";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { ADA, acsOf, entityOf, useSamlProvider } from "./support/saml-world.ts";

const samlWorld = useSamlProvider();

describe("validly signed SAML responses", () => {
	// threat 70
	it("sign in to the tenant whose request they answer, at its own address", async () => {
		const { a, b, begin, respond, post, database } = await samlWorld();
		for (const tenant of [a, b]) {
			const { id, acs, issuer, relayState } = await begin(tenant);
			expect({ acs, issuer }).toEqual({ acs: acsOf(tenant), issuer: entityOf(tenant) });
			const response = await respond({ audience: issuer, recipient: acs, inResponseTo: id });
			const done = await post(acs, response, relayState);
			expect(done).toMatchObject({ location: "/home", user: { tenantId: tenant, email: ADA } });
			// only once
			expect(await post(acs, response, relayState)).toMatchObject({ user: null });
		}
		const accounts = await database.query(`select "accountId", "tenantId" from "account" where "providerId" = 'adfs'`);
		expect(accounts.map(({ tenantId }) => tenantId).sort()).toEqual([a, b].sort());
		for (const { accountId } of accounts) expect(accountId).toMatch(/^ada@corp\.example@[0-9a-f]{32}$/);
	});

	// threat 70
	it("are rejected in another tenant, at its address or at the platform's", async () => {
		const { a, b, begin, respond, post, database } = await samlWorld();
		const { id, acs, issuer, relayState } = await begin(a);
		const response = await respond({ audience: issuer, recipient: acs, inResponseTo: id });
		const platform = `${ORIGIN}/api/auth/sso/saml2/sp/acs/adfs`;
		for (const [address, headers] of [
			[acsOf(b), {}],
			[acsOf(b), { "x-tenant-id": a }],
			[platform, {}],
			[platform, { "x-tenant-id": a }],
			[platform, { "x-tenant-id": b }],
		] as const) {
			for (const state of [relayState, undefined]) {
				expect(await post(address, response, state, headers)).toMatchObject({ user: null });
			}
		}
		expect(await database.query(`select * from "user"`)).toEqual([]);
		// and stay valid in their own
		expect(await post(acs, response, relayState)).toMatchObject({ user: { tenantId: a } });
	});

	// threat 70
	it.each(["audience", "recipient", "both"])(
		"are rejected if their %s is another tenant's, although they answer the tenant's own request",
		async (wrong) => {
			const { a, b, begin, respond, post, database } = await samlWorld();
			const { id, relayState } = await begin(a);
			const response = await respond({
				audience: entityOf(wrong === "recipient" ? a : b),
				recipient: acsOf(wrong === "audience" ? a : b),
				inResponseTo: id,
			});
			const refused = await post(acsOf(a), response, relayState);
			expect(refused.location).toContain("error=invalid_saml_response");
			expect([refused.user, await database.query(`select * from "user"`)]).toEqual([null, []]);
		},
	);

	// threat 70
	it("are rejected at the address of another provider of the same tenant", async () => {
		const { a, begin, respond, post, settings, registered } = await samlWorld();
		await registered(a, settings("other"));
		const { id, acs, issuer, relayState } = await begin(a);
		const response = await respond({ audience: issuer, recipient: acs, inResponseTo: id });
		expect(await post(acsOf(a, "other"), response, relayState)).toMatchObject({ user: null });
		const renamed = await respond({
			audience: entityOf(a, "other"),
			recipient: acsOf(a, "other"),
			inResponseTo: id,
		});
		expect(await post(acsOf(a, "other"), renamed, relayState)).toMatchObject({ user: null });
	});

	// threat 70
	it("are rejected if they answer no request, or another tenant's", async () => {
		const { a, b, begin, respond, post, database } = await samlWorld();
		const [mine, theirs] = [await begin(a), await begin(b)];
		const own = { audience: entityOf(a), recipient: acsOf(a) };
		const unsolicited = await post(acsOf(a), await respond(own));
		expect(unsolicited.location).toContain("error=unsolicited_response");
		const answers = await respond({ ...own, inResponseTo: theirs.id });
		for (const state of [mine.relayState, theirs.relayState, undefined]) {
			expect((await post(acsOf(a), answers, state)).location).toContain("error=invalid_saml_response");
		}
		// another tenant's relay state with a response to one's own request
		const good = await respond({ ...own, inResponseTo: mine.id });
		expect((await post(acsOf(a), good, theirs.relayState)).location).toContain("error=invalid_state");
		expect(await database.query(`select * from "user"`)).toEqual([]);
	});

	// threat 70
	it("started by the identity provider are valid in one tenant, if the application allows them", async () => {
		const { a, b, respond, post } = await samlWorld({ allowIdpInitiated: true });
		const response = await respond({ audience: entityOf(a), recipient: acsOf(a) });
		expect(await post(acsOf(b), response)).toMatchObject({ user: null });
		expect(await post(acsOf(a), response)).toMatchObject({ user: { tenantId: a, email: ADA } });
		expect(await post(acsOf(a), response)).toMatchObject({ user: null });
	});
});

describe("a tenant's SAML settings", () => {
	// threat 70
	it("are rejected with a custom entity ID, audience or metadata", async () => {
		const { a, b, settings, register, call } = await samlWorld();
		const { samlConfig, ...rest } = settings("new");
		const chosen = [
			{ audience: entityOf(b) },
			{ spMetadata: { entityID: entityOf(b) } },
			{ spMetadata: { metadata: `<EntityDescriptor entityID="${entityOf(b)}"/>` } },
		];
		for (const change of chosen) {
			const body = { ...rest, samlConfig: { ...samlConfig, ...change } };
			expect(await register(a, body)).toMatchObject({ status: 400, code: "SSO_ENTITY_ID_NOT_ALLOWED" });
			const update = { tenant: a, operator: true, body: { providerId: "adfs", samlConfig: change } };
			expect(await call("/sso/update-provider", update)).toMatchObject({ code: "SSO_ENTITY_ID_NOT_ALLOWED" });
		}
		const own = { ...samlConfig, audience: entityOf(a, "new"), spMetadata: { entityID: entityOf(a, "new") } };
		expect((await register(a, { ...rest, samlConfig: own })).status).toBe(200);
	});

	// threat 70
	it("return metadata with the tenant's own addresses, without a hint", async () => {
		const { a, ok, call } = await samlWorld({ enableSingleLogout: true });
		const [provider] = (await ok("/sso/providers", { tenant: a, operator: true })).json.providers;
		expect(provider?.spMetadataUrl).toBe(`${ORIGIN}/api/auth/tenants/${a}/sso/saml2/sp/metadata?providerId=adfs`);
		const metadata = await call(provider?.spMetadataUrl ?? "");
		expect(metadata.headers.get("content-type")).toContain("xml");
		expect(metadata.text).toContain(`entityID="${entityOf(a)}"`);
		expect(metadata.text).toContain(`Location="${acsOf(a)}"`);
		expect(metadata.text).toContain(`Location="${acsOf(a).replace("/acs/", "/slo/")}"`);
	});

	// threat 70
	it("redirect to no script URL", async () => {
		const { a, settings, registered, call } = await samlWorld();
		const { samlConfig, ...rest } = settings("scripted");
		await registered(a, { ...rest, samlConfig: { ...samlConfig, entryPoint: "javascript:alert(1)//" } });
		const body = { providerId: "scripted", callbackURL: "/home" };
		const answer = await call("/sign-in/sso", { tenant: a, body });
		expect([answer.status, answer.code]).toEqual([400, "INVALID_SSO_ENTRY_POINT"]);
	});

	// threat 70
	it("end no session of another tenant by a logout that it did not request", async () => {
		const { a, b, signUp, call, whoami } = await samlWorld({ enableSingleLogout: true });
		const request = Buffer.from(
			`<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:Issuer>https://idp.corp.example/saml</saml:Issuer><saml:NameID>${ADA}</saml:NameID></samlp:LogoutRequest>`,
		).toString("base64");
		const logOut = async (tenant: string, browser: Browser) =>
			call(acsOf(tenant).replace("/acs/", "/slo/"), {
				method: "POST",
				browser,
				body: new URLSearchParams({ SAMLRequest: request }).toString(),
				headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" },
			});
		const browser = await signUp(a, "victim@example.com");
		const answer = await logOut(b, browser);
		expect(answer.headers.getSetCookie()).toEqual([]);
		expect(await whoami(browser)).toMatchObject({ tenantId: a });
	});

	// threat 70
	it("accept no response that another key signed", async () => {
		const { a, begin, respond, post } = await samlWorld();
		const { id, acs, issuer, relayState } = await begin(a);
		const forged = await respond({ audience: issuer, recipient: acs, inResponseTo: id, isForged: true });
		expect(await post(acs, forged, relayState)).toMatchObject({ user: null });
	});
});
