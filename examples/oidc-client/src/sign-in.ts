import * as oidc from "openid-client";
import type { Organization } from "./organizations.ts";
import { callbackUrl, signedOutUrl } from "./settings.ts";

/** A user who is signed in. `issuer` and `subject` together name one user; an email does not. */
export type User = { issuer: string; subject: string; name: string; email: string; idToken: string };

/** What has to be remembered between the redirect to the tenant and the way back. */
export type Pending = { slug: string; state: string; nonce: string; verifier: string };

/** Reads the tenant's own endpoints and keys from its issuer. Refuses a document that names another issuer. */
const discover = (organization: Organization): Promise<oidc.Configuration> => {
	const issuer = new URL(organization.issuer);
	return oidc.discovery(issuer, organization.clientId, organization.clientSecret, undefined, {
		execute: [
			// the library trusts the connection to the token endpoint; this also verifies the signature with the tenant's keys
			oidc.enableNonRepudiationChecks,
			...(issuer.hostname.endsWith(".localhost") ? [oidc.allowInsecureRequests] : []),
		],
	});
};

/** Starts a sign-in: returns the tenant's authorization URL, and what `completeSignIn` needs. */
export const startSignIn = async (organization: Organization): Promise<{ url: URL; pending: Pending }> => {
	const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
	const url = oidc.buildAuthorizationUrl(await discover(organization), {
		redirect_uri: callbackUrl,
		scope: "openid profile email",
		state,
		nonce,
		code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
		code_challenge_method: "S256",
	});
	return { url, pending: { slug: organization.slug, state, nonce, verifier } };
};

/**
 * Redeems the code at the tenant where the sign-in started. Throws if the response names another issuer (RFC 9207), or if the
 * ID token is not of this issuer, client, sign-in and tenant.
 */
export const completeSignIn = async (organization: Organization, response: URL, pending: Pending): Promise<User> => {
	const configuration = await discover(organization);
	const tokens = await oidc.authorizationCodeGrant(configuration, response, {
		expectedState: pending.state,
		expectedNonce: pending.nonce,
		pkceCodeVerifier: pending.verifier,
		idTokenExpected: true,
	});
	const claims = tokens.claims();
	// the issuer proves where the user signed in; this finds an organization that was saved with the issuer of another
	if (!claims || claims.tenant_id !== organization.tenantId) throw new Error("The ID token is of another tenant.");
	const { name, email } = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
	return {
		issuer: claims.iss,
		subject: claims.sub,
		name: name ?? "",
		email: email ?? "",
		idToken: tokens.id_token ?? "",
	};
};

/** Returns the URL that ends the user's session at the tenant, and then leads back. */
export const signOutUrl = async (organization: Organization, { idToken }: User): Promise<URL> =>
	oidc.buildEndSessionUrl(await discover(organization), {
		id_token_hint: idToken,
		client_id: organization.clientId,
		post_logout_redirect_uri: signedOutUrl,
	});
