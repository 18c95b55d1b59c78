import type { Row } from "./database.ts";

/**
 * What is sent to an endpoint.
 *
 * @example
 * ```ts
 * const input: TenantIsolationInput = { body: { text: "hello" }, params: { id: "n1" } };
 * ```
 */
export type TenantIsolationInput = {
	/** The JSON body. */
	body?: Record<string, unknown>;
	/** The query parameters. */
	query?: Record<string, unknown>;
	/** Values for the `:name` parts of the path. */
	params?: Record<string, string>;
};

/**
 * A user of a side.
 *
 * @example
 * ```ts
 * const prepare = async ({ users: [admin] }: TenantIsolationSide) => makeAdmin(admin?.userId);
 * ```
 */
export type TenantIsolationUser = {
	/** The id of the user. */
	userId: string;
	/** The email. */
	email: string;
	/** The password. */
	password: string;
	/** What the browser of the user sends: a cookie or a bearer token. */
	headers: Record<string, string>;
	/** The token of their session, if it could be found. */
	token: string | undefined;
};

/**
 * A one-time token or code that was sent to a user of a side.
 *
 * @example
 * ```ts
 * const invited = ({ tokens }: TenantIsolationSide) => tokens.find(({ purpose }: TenantIsolationToken) => purpose === "invitation");
 * ```
 */
export type TenantIsolationToken = {
	/** What it is for, from the name of the function that sends it: `reset password` for `sendResetPassword`. */
	purpose: string;
	/** The token, as a link contains it, or the code. */
	value: string;
};

/**
 * One of the two tenants, or the platform, with what it owns.
 *
 * @example
 * ```ts
 * const inputs = { "/notes/read": ({ rows }: TenantIsolationSide) => ({ query: { id: rows.note?.[0]?.id } }) };
 * ```
 */
export type TenantIsolationSide = {
	/** The name of the side in the report. */
	label: "A" | "B" | "platform";
	/** The id of the tenant, or `PLATFORM`. */
	tenantId: string;
	/** The slug of the tenant. */
	slug: string;
	/** A text that every value of this side contains. A response to another side that contains it is a leak. */
	canary: string;
	/** Two users. The first one calls. The sides share their emails. */
	users: TenantIsolationUser[];
	/** The rows of this side, by table. */
	rows: Record<string, Row[]>;
	/** Tokens and codes that were sent to this side's users, newest first: in mails, in invitations, backup codes. */
	tokens: TenantIsolationToken[];
};

/** The user who makes the calls. */
export const callerOf = (side: TenantIsolationSide): TenantIsolationUser => {
	const [first] = side.users;
	if (!first) throw new Error(`assertTenantIsolation: no user signed up in ${side.label}`);
	return first;
};
