import type { AuthContext } from "@better-auth/core";
import { DERIVED_PREFIX } from "../../scope/data/tables.ts";

/**
 * The columns that an export of a user may contain, of the tables of Better Auth and its plugins. A column of a later version
 * stays out until it is listed here, because its name does not say whether it contains a credential.
 */
const LISTED: Record<string, readonly string[]> = {
	session: [
		"createdAt",
		"updatedAt",
		"expiresAt",
		"ipAddress",
		"userAgent",
		"operatorId",
		"impersonatedBy",
		"activeOrganizationId",
		"activeTeamId",
	],
	account: ["accountId", "providerId", "scope", "createdAt", "updatedAt"],
	twoFactor: ["verified"],
	member: ["organizationId", "role", "createdAt"],
	invitation: ["organizationId", "email", "role", "teamId", "status", "expiresAt", "createdAt", "inviterId"],
	teamMember: ["teamId", "createdAt"],
	walletAddress: ["address", "chainId", "isPrimary", "createdAt"],
	passkey: ["name", "counter", "deviceType", "backedUp", "transports", "createdAt", "aaguid"],
	apikey: [
		"configId",
		"name",
		"start",
		"prefix",
		"referenceId",
		"refillInterval",
		"refillAmount",
		"lastRefillAt",
		"enabled",
		"rateLimitEnabled",
		"rateLimitTimeWindow",
		"rateLimitMax",
		"requestCount",
		"remaining",
		"lastRequest",
		"expiresAt",
		"createdAt",
		"updatedAt",
		"permissions",
		"metadata",
	],
	deviceCode: ["clientId", "status", "scope", "expiresAt", "lastPolledAt"],
	subscription: [
		"plan",
		"referenceId",
		"stripeCustomerId",
		"stripeSubscriptionId",
		"status",
		"periodStart",
		"periodEnd",
		"trialStart",
		"trialEnd",
		"cancelAtPeriodEnd",
		"cancelAt",
		"canceledAt",
		"endedAt",
		"seats",
		"billingInterval",
	],
	oauthConsent: ["clientId", "referenceId", "resources", "scopes", "createdAt", "updatedAt"],
	oauthAccessToken: ["clientId", "referenceId", "resources", "scopes", "expiresAt", "createdAt", "revoked"],
	oauthRefreshToken: [
		"clientId",
		"referenceId",
		"resources",
		"scopes",
		"expiresAt",
		"createdAt",
		"revoked",
		"authTime",
	],
	oauthClient: ["clientId", "name", "uri", "icon", "contacts", "redirectUris", "disabled", "createdAt", "updatedAt"],
	ssoProvider: ["providerId", "issuer", "domain", "domainVerified", "organizationId"],
	scimUser: [
		"connectionId",
		"userName",
		"primaryEmail",
		"displayName",
		"formattedName",
		"givenName",
		"familyName",
		"externalId",
		"active",
		"createdAt",
		"updatedAt",
	],
	scimSubject: ["createdAt", "updatedAt"],
	scimProjectionGrant: ["connectionId", "sourceKind", "sourceId", "sourceValue", "role", "createdAt", "updatedAt"],
	scimIdentityTombstone: ["connectionId", "externalId", "deletedAt"],
};

/** In each of them. */
const ALWAYS = ["id", "userId", "tenantId"];

/** Names of columns with credentials, where the application chose the names. */
const SECRET = /token|password|secret|backupcodes|credential|publickey|^key$|hash|code$/i;

/** Whether the columns of a table are listed here. */
export const isListed = (table: string): boolean => Object.hasOwn(LISTED, table);

/**
 * Whether a column may be exported. Users, and tables of the application's own plugins, have columns that are not known here: these
 * are exported if Better Auth returns them and their names are not those of credentials.
 */
export const isExported = ({ tables, options }: AuthContext, table: string, name: string): boolean => {
	if (ALWAYS.includes(name)) return true;
	const field = tables[table]?.fields[name];
	if (!field || field.returned === false || name.startsWith(DERIVED_PREFIX) || SECRET.test(name)) return false;
	if (!isListed(table) || LISTED[table]?.includes(name)) return true;
	const added = table === "session" || table === "account" ? options[table]?.additionalFields : undefined;
	return added !== undefined && Object.hasOwn(added, name);
};
