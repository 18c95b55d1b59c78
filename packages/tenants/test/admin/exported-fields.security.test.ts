import { apiKey } from "@better-auth/api-key";
import { oauthProvider } from "@better-auth/oauth-provider";
import { passkey } from "@better-auth/passkey";
import { sso } from "@better-auth/sso";
import type { BetterAuthPlugin } from "better-auth";
import { deviceAuthorization, jwt, organization, siwe } from "better-auth/plugins";
import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { contextOf } from "../../src/engine/service.ts";
import { isListed } from "../../src/features/admin/exported-fields.ts";
import { userTablesOf } from "../../src/features/move/user-tables.ts";
import { createSeal } from "../../src/features/oauth/seal.ts";
import { createAdministered } from "./support/administered.ts";

/** What a later version, or another plugin, may add: a column whose name says nothing, and a table of the application. */
const later = {
	id: "later",
	schema: {
		twoFactor: { fields: { recoveryPin: { type: "string", required: false } } },
		note: { fields: { userId: { type: "string", required: true }, text: { type: "string", required: true } } },
	},
} satisfies BetterAuthPlugin;

const opaqueAccounts = { account: { additionalFields: { team: { type: "string", required: false } } } } as const;

// threat 127
it("exports an SSO provider that a user registered, without its client secret", async () => {
	const { world, a, b, inA, inB, read } = await createAdministered({ plugins: [sso()] });
	const seal = createSeal((await world.auth.$context).secretConfig);
	for (const [tenantId, { owner }] of [
		[a, inA],
		[b, inB],
	] as const) {
		const providerId = `okta-${tenantId}`;
		const sealed = (field: "oidcConfig" | "samlConfig", settings: object): Promise<string> =>
			seal.close({ tenantId, providerId, field }, { value: JSON.stringify(settings), write: "test" });
		const oidc = await sealed("oidcConfig", { clientSecret: `oidc-of-${tenantId}` });
		const saml = await sealed("samlConfig", { decryptionPvk: `saml-of-${tenantId}` });
		// as server code stores it: registered over HTTP, it belongs to nobody
		await world.database.query(
			`insert into "ssoProvider" ("id", "issuer", "oidcConfig", "samlConfig", "userId", "providerId", "domain", "tenantId")
			values ('sso-${tenantId}', 'https://idp-of-${tenantId}.example.com', '${oidc}', '${saml}', '${owner.id}',
			'${providerId}', 'example.com', '${tenantId}')`,
		);
	}
	for (const [tenantId, other, { owner }] of [
		[a, b, inA],
		[b, a, inB],
	] as const) {
		const { text, json } = await read(owner, "export", owner, tenantId);
		expect(json).toMatchObject({
			tables: { ssoProvider: [{ id: `sso-${tenantId}`, issuer: `https://idp-of-${tenantId}.example.com` }] },
		});
		expect(text).not.toMatch(/oidc-of|saml-of/);
		expect(text).not.toContain(other);
	}
});

// threat 127
it("exports no column that is not known to be harmless, and what the application added", async () => {
	const { world, a, b, inA, inB, read } = await createAdministered({ plugins: [later], engine: opaqueAccounts });
	for (const [tenantId, { member }] of [
		[a, inA],
		[b, inB],
	] as const) {
		await world.ok("/two-factor/enable", { browser: member.browser, body: { password: PASSWORD } });
		await world.database.query(
			`insert into "note" ("id", "userId", "text", "tenantId")
			values ('note-${tenantId}', '${member.id}', 'text of ${tenantId}', '${tenantId}')`,
		);
	}
	await world.database.query(`update "twoFactor" set "recoveryPin" = '4711-0815'`);
	await world.database.query(`update "account" set "team" = 'blue'`);
	for (const [tenantId, { owner, member }] of [
		[a, inA],
		[b, inB],
	] as const) {
		const { text, json } = await read(owner, "export", member, tenantId);
		expect(json).toMatchObject({
			tables: {
				user: [{ id: member.id, email: member.email }],
				account: [{ providerId: "credential", team: "blue" }],
				twoFactor: [{ verified: false }],
				note: [{ text: `text of ${tenantId}` }],
			},
		});
		expect(text).not.toContain("4711-0815");
	}
});

// threat 127
it("lists the columns of every table with rows of users, of Better Auth and its plugins", async () => {
	const { world } = await createAdministered({
		plugins: [
			jwt(),
			organization({ teams: { enabled: true } }),
			deviceAuthorization({ verificationUri: "/device" }),
			siwe({ domain: "example.com", getNonce: async () => "nonce", verifyMessage: async () => true }),
			passkey(),
			apiKey(),
			sso(),
			oauthProvider({ loginPage: "/sign-in", consentPage: "/consent" }),
		],
	});
	const userTables = userTablesOf(await contextOf(world.auth));
	// if it fails for a new table: list its harmless columns
	expect(userTables.map(({ key }) => key).filter((key) => !isListed(key))).toEqual(["user"]);
	expect(userTables.length).toBeGreaterThan(12);
});
