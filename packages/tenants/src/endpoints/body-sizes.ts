import { ADDRESS_PREFIX } from "./tenant-address.ts";

const KB = 1_024;

/** A body of any endpoint that is not listed below. Browsers send less than 2 kB. */
export const BODY_SIZE = 16 * KB;

/** Bodies with tokens of an identity provider, which contain the groups of a user. */
const TOKENS = 32 * KB;
/** Bodies with metadata, options or rules of a tenant, or of an OAuth client with its keys. */
const SETTINGS = 64 * KB;
/** The SSO plugin accepts metadata of 100 kB, of both sides. */
const SAML_SETTINGS = 256 * KB;
/** The SSO plugin accepts responses of 256 kB. Forms escape some of their characters. */
const SAML_MESSAGE = 512 * KB;
/** Many users, or a group with its members, in one request. */
const BATCH = 1_024 * KB;

/** The most bytes of a body by path, where the default does not fit. The first matching pattern counts. */
export const BODY_SIZES: readonly (readonly [pattern: string, bytes: number])[] = [
	["/sign-in/social", TOKENS],
	["/tenant/sign-in/social", TOKENS],
	["/link-social", TOKENS],
	["/one-tap/callback", TOKENS],
	["/callback/*", TOKENS],
	["/oauth2/callback/*", TOKENS],
	["/tenant/callback/*", TOKENS],
	["/tenant/shared-callback/*", TOKENS],
	["/sso/callback*", TOKENS],
	[`${ADDRESS_PREFIX}/*/sso/callback/*`, TOKENS],
	["/tenant/create", SETTINGS],
	["/tenant/update", SETTINGS],
	["/tenant/import", SETTINGS],
	["/tenant/policy/update", SETTINGS],
	["/tenant/oauth-config/register", SETTINGS],
	["/oauth2/register", SETTINGS],
	["/oauth2/create-client", SETTINGS],
	["/oauth2/update-client", SETTINGS],
	["/admin/oauth2/*", SETTINGS],
	["/sso/register", SAML_SETTINGS],
	["/sso/update-provider", SAML_SETTINGS],
	["/sso/saml2/*", SAML_MESSAGE],
	[`${ADDRESS_PREFIX}/*/sso/saml2/*`, SAML_MESSAGE],
	["/scim/v2/*", BATCH],
	["/stripe/webhook", BATCH],
	["/tenant/import-users", BATCH],
];
