type UserJson = {
	id: string;
	email: string;
	name: string;
	tenantId: string;
	emailVerified: boolean;
	image: string | null;
	role: string;
	[field: string]: unknown;
};

type SessionJson = {
	id: string;
	token: string;
	tenantId: string;
	userId: string;
	expiresAt: string;
	operatorId: string | null;
	[field: string]: unknown;
};

/** The response to a batch of users. */
type ImportJson = {
	imported: number;
	existing: number;
	refused: { index: number; code: string; message: string }[];
};

type DeviceJson = { device_code: string; user_code: string };
type TokenJson = { access_token: string; refresh_token: string; id_token: string };
type ClientJson = { client_id: string; client_secret: string };
type ProviderJson = { id: string; providerId: string; spMetadataUrl: string };

/**
 * The JSON body of a response: an object, or a list of objects. It declares the fields that tests use, of all
 * endpoints. They are not validated: a test asserts what it relies on.
 */
export interface AnswerJson extends Array<AnswerJson>, ImportJson, DeviceJson, TokenJson, ClientJson {
	id: string;
	name: string;
	email: string;
	tenantId: string;
	token: string;
	key: string;
	url: string;
	redirect_uri: string;
	redirectURI: string;
	customer: string;
	challenge: string;
	totpURI: string;
	backupCodes: string[];
	code: string | undefined;
	user: UserJson;
	session: SessionJson;
	users: UserJson[];
	member: { id: string };
	passkey: { name: string };
	teams: { name: string }[];
	apiKeys: { id: string }[];
	providers: ProviderJson[];
	providerId: string;
	clientId: string;
	credentialID: string;
	metadata: Record<string, string>;
	branding: Record<string, string>;
	[field: string]: unknown;
}
