/**
 * A placeholder in a generated request for a value known only at run time (an id, a token), so that a request depends
 * on its seed only. Letters and digits, which pass through JSON, URLs and headers unchanged.
 */
export const placeholder = (name: string): string => `PH0${name}0PH`;

/** Replaces every placeholder with its value. */
export const fillIn = (text: string, known: Record<string, string>): string =>
	text.includes("PH0") ? text.replace(/PH0([A-Za-z]+)0PH/g, (_, name: string) => known[name] ?? "absent") : text;

const ph = placeholder;

/** Plausible values by field name, as JSON values. */
const PLAUSIBLE: Record<string, unknown[]> = {
	tenantId: [ph("tenantA"), ph("tenantB"), ph("victim")],
	tenant: [ph("tenantA"), ph("tenantB")],
	name: ["Ada", "Countess of Lovelace"],
	email: [ph("emailA"), ph("emailB"), ph("emailNew"), ph("emailNew")],
	newEmail: [ph("emailNew"), ph("emailB")],
	memberIdOrEmail: [ph("emailA"), ph("userA")],
	password: [ph("password"), ph("password"), "wrong password 1"],
	currentPassword: [ph("password")],
	newPassword: [ph("password")],
	slug: [ph("slugNew"), "isolation-a"],
	organizationSlug: ["isolation-a"],
	metadata: [{ plan: "free" }, { a: { b: [1, 2] } }],
	data: [{ name: "Renamed" }, { slug: ph("slugNew") }, { image: "x" }],
	permissions: [{ user: ["list"] }, { organization: ["update"] }],
	permission: [{ user: ["list"] }],
	callbackURL: ["/home", "/home?x=1"],
	errorCallbackURL: ["/failed"],
	newUserCallbackURL: ["/welcome"],
	redirectTo: ["/reset"],
	redirectURI: [`${ph("origin")}/api/auth/tenant/callback/gitlab`],
	provider: ["gitlab", "google", "github"],
	providerId: ["gitlab", "google", "github", "microsoft", "apple"],
	id: [ph("userA"), ph("tenantA"), ph("organization")],
	clientId: ["client"],
	clientSecret: ["client secret"],
	scopes: [["read_user"], []],
	options: [{}, { issuer: "https://gitlab.example" }],
	token: [ph("magic"), ph("reset"), ph("verify"), ph("oneTime"), ph("tokenA")],
	sessionToken: [ph("tokenA"), ph("tokenB")],
	state: [ph("state")],
	code: ["code", "123456"],
	otp: ["123456"],
	type: ["sign-in", "email-verification", "forget-password"],
	role: ["admin", "user", "member", "owner"],
	userId: [ph("userA"), ph("userB"), ph("userVictim")],
	accountId: [ph("accountA")],
	memberId: [ph("member")],
	organizationId: [ph("organization")],
	invitationId: [ph("invitation")],
	phoneNumber: ["+15550001111"],
	username: ["ada_l", "ada"],
	image: ["https://example.com/a.png"],
	logo: ["https://example.com/a.png"],
	limit: [10, 1],
	membersLimit: [1],
	offset: [0],
	searchField: ["email", "name"],
	searchOperator: ["contains", "starts_with"],
	searchValue: ["a"],
	sortBy: ["createdAt", "email"],
	sortDirection: ["asc", "desc"],
	filterField: ["role", "id"],
	filterValue: ["user"],
	filterOperator: ["eq", "in", "contains"],
	idToken: [{ token: "eyJhbGciOiJub25lIn0.e30." }],
	user: [{ name: { firstName: "Ada" } }, "{}"],
	iss: [`${ph("origin")}`],
	error: ["access_denied"],
	error_description: ["the user denied access"],
	additionalData: [{ a: 1 }],
	additionalParams: [{ prompt: "login" }],
	loginHint: ["ada@example.com"],
	method: ["totp", "otp"],
	issuer: ["Isolation"],
	banExpiresIn: [60],
	banReason: ["spam"],
	cursor: ["x"],
};

/** Field names for endpoints without a schema. */
export const UNDECLARED_FIELDS: string[] = [
	...[
		"name",
		"image",
		"username",
		"displayUsername",
		"phoneNumber",
		"role",
		"tenantId",
		"userId",
		"id",
		"emailVerified",
	],
	...[
		"activeOrganizationId",
		"impersonatedBy",
		"expiresAt",
		"token",
		"createdAt",
		"banned",
		"twoFactorEnabled",
		"email",
	],
];

/** Endpoints that delete or revoke. Valid calls target what no other request uses. */
export const ENDS_THINGS = /delete|sign-out|revoke|remove|ban-user|set-role|leave|set-active|two-factor\/enable/;

/** A valid value for a field, chosen by a number. */
export const plausibleValue = (path: string, field: string, choice: number): unknown => {
	if (ENDS_THINGS.test(path)) {
		if (field === "tenantId") return ph("victim");
		if (field === "userId") return ph("userVictim");
		if (/token$/i.test(field)) return ph("tokenVictim");
	}
	const values = PLAUSIBLE[field];
	if (values) return values[choice % values.length];
	return /^(is|use|keep|disable|enable|remember|trust|revoke|resend|request|update)/.test(field)
		? choice % 2 === 0
		: "x";
};
