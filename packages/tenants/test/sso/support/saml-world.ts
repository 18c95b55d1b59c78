import { inflateRawSync } from "node:zlib";
import type { BetterAuthOptions } from "better-auth";
import { Browser } from "test-kit/browser";
import type { DatabaseKind } from "test-kit/databases";
import { type RunningProcess, startProcess } from "test-kit/processes";
import { ORIGIN } from "test-kit/world";
import { afterAll, beforeAll } from "vitest";
import type { AssertionInput, SamlIdentityProvider } from "./saml-identity-provider.ts";
import { ssoWorld } from "./sso-world.ts";

export const ADA = "ada@corp.example";
export const acsOf = (tenant: string, providerId = "adfs") =>
	`${ORIGIN}/api/auth/tenants/${tenant}/sso/saml2/sp/acs/${providerId}`;
export const entityOf = (tenant: string, providerId = "adfs") => `urn:better-auth-tenants:sp:${tenant}:${providerId}`;

/** Starts a SAML identity provider in a process of its own, and returns how to create a world that trusts it. */
export const useSamlProvider = () => {
	let provider: RunningProcess<SamlIdentityProvider>;
	beforeAll(() => {
		provider = startProcess<SamlIdentityProvider>(new URL("./saml-identity-provider.ts", import.meta.url));
	});
	afterAll(() => provider.stop());

	/** Two tenants that trust one SAML identity provider, under the same name. */
	const samlWorld = async (
		saml: { allowIdpInitiated?: boolean; enableSingleLogout?: boolean } = {},
		engine: Partial<BetterAuthOptions> = {},
		database: DatabaseKind = "sqlite",
	) => {
		const { entityID, cert, entryPoint } = await provider.call("describe");
		const world = await ssoWorld([], { options: { saml }, engine, database });
		const settings = (providerId: string) => ({
			providerId,
			issuer: "https://app.example",
			domain: "corp.example",
			samlConfig: { entryPoint, cert, idpMetadata: { entityID }, wantAssertionsSigned: true, callbackUrl: "/home" },
		});
		for (const tenant of [world.a, world.b]) await world.registered(tenant, settings("adfs"));
		/** The request that a browser carries to the identity provider. */
		const begin = async (tenant: string, providerId = "adfs") => {
			const { url, browser } = await world.begin(tenant, { providerId, errorCallbackURL: "/failed" });
			const request = inflateRawSync(Buffer.from(url.searchParams.get("SAMLRequest") ?? "", "base64")).toString();
			const read = (pattern: RegExp) => pattern.exec(request)?.[1] ?? "";
			return {
				browser,
				relayState: url.searchParams.get("RelayState") ?? "",
				id: read(/\sID="([^"]+)"/),
				acs: read(/AssertionConsumerServiceURL="([^"]+)"/),
				issuer: read(/<saml:Issuer>([^<]+)</),
			};
		};
		const respond = (input: Partial<AssertionInput> & Pick<AssertionInput, "audience" | "recipient">) =>
			provider.call("respond", { nameID: ADA, ...input });
		/** The identity provider's page posts across sites: without cookies, from another origin. */
		const post = async (address: string, SAMLResponse: string, RelayState?: string, headers = {}) => {
			const browser = new Browser();
			const body = new URLSearchParams({ SAMLResponse, ...(RelayState ? { RelayState } : {}) }).toString();
			const answer = await world.call(address, {
				method: "POST",
				browser,
				body,
				headers: {
					"content-type": "application/x-www-form-urlencoded",
					origin: "https://idp.corp.example",
					...headers,
				},
			});
			return { ...answer, user: await world.whoami(browser) };
		};
		return { ...world, settings, begin, respond, post };
	};
	return samlWorld;
};
