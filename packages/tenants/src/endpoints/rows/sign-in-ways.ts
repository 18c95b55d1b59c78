import type { Endpoint } from "../endpoint.ts";

type Properties = Partial<Pick<Endpoint, "signsInWith" | "setsPassword" | "provisionsUsers" | "servesMachines">>;

const withPassword = { signsInWith: "password" } satisfies Properties;
const social = { signsInWith: "social" } satisfies Properties;
const sso = { signsInWith: "sso" } satisfies Properties;
const continues = { signsInWith: "continues" } satisfies Properties;
/** Also while signed in, to turn a second factor on: then the session goes on. */
const challenge = { signsInWith: "challenge" } satisfies Properties;
const forMachines = { servesMachines: true } satisfies Properties;
const provisions = { servesMachines: true, provisionsUsers: true } satisfies Properties;

/**
 * What endpoints have to do with a tenant's policy, by path. A new way to a session that has no row here is refused where a
 * tenant restricts its sign-in methods. A test reads the engine's source and fails if one is missing.
 */
export const SIGN_IN_WAYS: Readonly<Record<string, Properties>> = {
	// the engine
	"/sign-up/email": { ...withPassword, setsPassword: "password" },
	"/sign-in/email": withPassword,
	"/tenant/sign-up/email": { ...withPassword, setsPassword: "password" },
	"/tenant/sign-in/email": withPassword,
	"/tenant/invitation/accept": { ...withPassword, setsPassword: "password" },
	"/tenant/user/create": { provisionsUsers: true, setsPassword: "password" },
	// only sign-ups with a password, and changes of an email, send this link
	"/verify-email": withPassword,
	"/reset-password": { setsPassword: "newPassword" },
	"/change-password": { ...continues, setsPassword: "newPassword" },
	"/set-password": { setsPassword: "newPassword" },
	"/sign-in/social": social,
	"/tenant/sign-in/social": social,
	"/callback/:id": social,
	"/tenant/callback/:id": social,
	"/tenant/callback/:id/:tenant": social,

	// bundled plugins
	"/sign-in/username": { signsInWith: "username" },
	"/sign-in/phone-number": { signsInWith: "phoneNumber" },
	"/phone-number/verify": { signsInWith: "phoneNumber" },
	"/phone-number/reset-password": { setsPassword: "newPassword" },
	"/sign-in/magic-link": { signsInWith: "magicLink" },
	"/magic-link/verify": { signsInWith: "magicLink" },
	"/sign-in/email-otp": { signsInWith: "emailOtp" },
	"/email-otp/verify-email": { signsInWith: "emailOtp" },
	"/email-otp/reset-password": { setsPassword: "password" },
	"/sign-in/anonymous": { signsInWith: "anonymous" },
	"/siwe/verify": { signsInWith: "siwe" },
	"/one-tap/callback": { signsInWith: "oneTap" },
	// the encrypted payload names the provider
	"/oauth-proxy-callback": { signsInWith: "unknown" },
	"/device/token": { signsInWith: "device" },
	"/two-factor/enable": continues,
	"/two-factor/disable": continues,
	"/two-factor/verify-totp": challenge,
	"/two-factor/verify-otp": challenge,
	"/two-factor/verify-backup-code": challenge,
	"/admin/impersonate-user": continues,
	"/admin/create-user": { provisionsUsers: true, setsPassword: "password" },
	"/admin/set-user-password": { setsPassword: "newPassword" },
	"/jwks": forMachines,

	// packaged plugins
	"/passkey/verify-registration": { signsInWith: "passkey" },
	"/passkey/verify-authentication": { signsInWith: "passkey" },
	"/sign-in/sso": sso,
	"/sso/callback": sso,
	"/sso/callback/:providerId": sso,
	"/sso/saml2/sp/acs/:providerId": sso,
	"/tenants/:tenantId/sso/callback/:providerId": sso,
	"/tenants/:tenantId/sso/saml2/sp/acs/:providerId": sso,
	"/sso/saml2/sp/metadata": forMachines,
	"/tenants/:tenantId/sso/saml2/sp/metadata": forMachines,
	"/scim/v2/Users": provisions,
	"/scim/v2/Users/:userId": provisions,
	"/scim/v2/Groups": provisions,
	"/scim/v2/Groups/:groupId": provisions,
	"/scim/v2/ServiceProviderConfig": forMachines,
	"/scim/v2/Schemas": forMachines,
	"/scim/v2/Schemas/:schemaId": forMachines,
	"/scim/v2/ResourceTypes": forMachines,
	"/scim/v2/ResourceTypes/:resourceTypeId": forMachines,
	"/oauth2/token": forMachines,
	"/oauth2/introspect": forMachines,
	"/oauth2/revoke": forMachines,
	"/oauth2/userinfo": forMachines,
	"/stripe/webhook": forMachines,
};
