import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { readTag } from "../../src/scope/pin/tag.ts";
import { COGNITO, expectedOf, PROVIDERS, requiredOf } from "./support/expected-providers.ts";
import {
	CLIENT_ID,
	createStrictWorld,
	expectRefused,
	forbidNetwork,
	SETTINGS,
	startWith,
} from "./support/provider-requests.ts";

forbidNetwork();

/** A valid value for each free-form setting. */
const SAMPLES: Record<string, string> = {
	"apple.appBundleIdentifier": "com.example.app",
	"cognito.domain": COGNITO.domain,
	"cognito.identityProvider": "Google",
	"cognito.region": COGNITO.region,
	"cognito.userPoolId": COGNITO.userPoolId,
	"facebook.configId": "1234567890",
	"gitlab.issuer": "https://gitlab.example.com",
	"google.hd": "example.com",
	"microsoft.authority": "https://acme.ciamlogin.com",
	"microsoft.tenantId": "5b7c1a2e-0d3f-4a68-9b1c-7e2f4d6a8c90",
	"paybin.issuer": "https://idp.example.com",
	"salesforce.loginUrl": "acme.my.salesforce.com",
};

describe("provider settings", () => {
	it("accept every valid value, and leave credentials, callback and state unchanged", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		for (const { providerId, name, setting, id } of SETTINGS) {
			const values =
				setting.kind === "flag" ? [true, false] : setting.kind === "one-of" ? setting.values : [SAMPLES[id]];
			for (const value of values) {
				const url = await startWith(world, tenantId, providerId, { ...requiredOf(providerId), [name]: value });
				const client = url.searchParams.get(expectedOf(providerId).clientParameter ?? "client_id");
				const callback = `${ORIGIN}/api/auth/tenant/callback/${providerId}`;
				expect([id, value, url.protocol, client]).toEqual([id, value, "https:", CLIENT_ID]);
				expect([callback, `${callback}/${tenantId}`]).toContain(url.searchParams.get("redirect_uri"));
				expect(readTag(url.searchParams.get("state") ?? "")?.tenantId).toBe(tenantId);
			}
		}
	});

	it("lead to the server they name", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		const led: [string, Record<string, string>, string][] = [
			["gitlab", { issuer: "https://gitlab.example.com/" }, "https://gitlab.example.com/oauth/authorize"],
			["gitlab", { issuer: "https://Example.com:8443/git/lab/" }, "https://example.com:8443/git/lab/oauth/authorize"],
			["microsoft", { tenantId: "contoso.com" }, "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/authorize"],
			[
				"microsoft",
				{ authority: "https://acme.ciamlogin.com/", tenantId: "acme.com" },
				"https://acme.ciamlogin.com/acme.com/oauth2/v2.0/authorize",
			],
			["paybin", { issuer: "https://idp.example.com/" }, "https://idp.example.com/oauth2/authorize"],
			["paypal", { environment: "sandbox" }, "https://www.sandbox.paypal.com/signin/authorize"],
			["salesforce", { environment: "sandbox" }, "https://test.salesforce.com/services/oauth2/authorize"],
			[
				"salesforce",
				{ loginUrl: "acme.my.salesforce.com" },
				"https://acme.my.salesforce.com/services/oauth2/authorize",
			],
			// pasted from the address bar
			[
				"salesforce",
				{ loginUrl: "https://acme.my.salesforce.com/" },
				"https://acme.my.salesforce.com/services/oauth2/authorize",
			],
			["cognito", { ...COGNITO, domain: "https://login.example.com" }, "https://login.example.com/oauth2/authorize"],
			["cognito", { ...COGNITO, region: "us-gov-west-1" }, `https://${COGNITO.domain}/oauth2/authorize`],
		];
		for (const [providerId, options, at] of led) {
			const url = await startWith(world, tenantId, providerId, options);
			expect([options, `${url.origin}${url.pathname}`]).toEqual([options, at]);
		}
	});

	it("are not stored if they equal the default, so that one authority has one spelling", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		const stored = (providerId: string) =>
			world.database.query(`select "options" from "tenantOauthConfig" where "providerId" = '${providerId}'`);
		for (const { providerId, name, setting } of SETTINGS.filter(({ setting }) => setting.otherwise !== undefined)) {
			const plain = await startWith(world, tenantId, providerId, requiredOf(providerId));
			const said = await startWith(world, tenantId, providerId, {
				...requiredOf(providerId),
				[name]: setting.otherwise,
			});
			for (const url of [plain, said]) {
				for (const parameter of ["state", "code_challenge"]) url.searchParams.delete(parameter);
			}
			expect(said.href).toBe(plain.href);
			expect([providerId, name, await stored(providerId)]).toEqual([providerId, name, [{ options: null }]]);
		}
		await startWith(world, tenantId, "gitlab", { issuer: "https://GITLAB.com:443/" });
		expect(await stored("gitlab")).toEqual([{ options: null }]);
	});

	it("are rejected if a required one is missing", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		for (const [providerId, { options }] of PROVIDERS) {
			for (const name of Object.keys(options ?? {})) {
				const { [name]: _missing, ...rest } = options ?? {};
				for (const given of [undefined, {}, rest]) await expectRefused(world, tenantId, providerId, given);
			}
		}
		expect(await world.database.query('select count(*) as n from "tenantOauthConfig"')).toEqual([{ n: 0 }]);
	});
});
