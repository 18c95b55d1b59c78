/** The most characters of fields by table, where the default of their kind does not fit. */
type FieldSizes = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What a request can contain: the values that endpoints keep for a while, and JSON of the application. */
const REQUEST = 16_384;
/** Tokens of identity providers contain the groups of a user. Encrypted, they take twice as much. */
const TOKEN = 65_536;
/** A picture can be a data URL: Better Auth stores Microsoft's photos of 48 pixels like that, in 1 to 4 kB. */
const PICTURE = 8_192;
/** Text without an index, of which MySQL would keep 255 characters if it had one. */
const LONG_KEY = 1_024;
/** A list of scopes. */
const SCOPE = 4_096;

/** The engine's own tables and those of its official plugins. A table without a row has the defaults. */
export const FIELD_SIZES: FieldSizes = {
	user: { image: PICTURE },
	account: { accountId: LONG_KEY, accessToken: TOKEN, refreshToken: TOKEN, idToken: TOKEN, scope: SCOPE },
	// the identifier contains an email of up to 255 characters, the value an OAuth state or an authorization request
	verification: { identifier: LONG_KEY, value: REQUEST },
	deviceCode: { scope: SCOPE },
	// 4,096-bit RSA keys, encrypted
	jwks: { publicKey: REQUEST, privateKey: 2 * REQUEST },
	organization: { logo: PICTURE, metadata: REQUEST },
	organizationRole: { permission: REQUEST },
	twoFactor: { secret: LONG_KEY, backupCodes: PICTURE },
	// WebAuthn allows ids of 1,023 bytes; keys of post-quantum algorithms have 2,600
	passkey: { credentialID: 1_400, publicKey: PICTURE },
	apikey: { permissions: REQUEST, metadata: REQUEST },
	// the SSO plugin accepts metadata of 100 kB for each side; sealing doubles it
	ssoProvider: { oidcConfig: TOKEN, samlConfig: 8 * TOKEN },
	scimIdentityTombstone: { profile: TOKEN },
	scimUser: {
		serializedAttributes: TOKEN,
		serializedEmails: REQUEST,
		emailValueIndex: REQUEST,
		workEmailValueIndex: REQUEST,
	},
	oauthClient: { jwks: REQUEST, softwareStatement: REQUEST },
	// the tokens that a retried refresh returns again, encrypted
	oauthRefreshToken: { rotationReplayResponse: TOKEN },
};
