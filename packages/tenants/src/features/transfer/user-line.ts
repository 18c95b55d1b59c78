import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TRANSFER_ERROR_CODES } from "../../errors/transfer-error-codes.ts";
import { date } from "../../lib/date.ts";

/**
 * A user as the export returns them.
 *
 * @example
 * ```ts
 * const users: ExportedUser[] = await auth.api.exportTenantUsers({ query: { tenantId } });
 * ```
 */
export type ExportedUser = {
	/** The id of the user. */
	id: string;
	/** The email. */
	email: string;
	/** Whether the email is verified. */
	emailVerified: boolean;
	/** The display name. */
	name: string;
	/** The URL of a picture. */
	image: string | null;
	/** When the user signed up. */
	createdAt: Date;
	/** When the user was last changed. */
	updatedAt: Date;
	/** The accounts to sign in with, and the password hash. The account id includes its authority. Tokens are not exported. */
	accounts: { providerId: string; accountId: string; password?: string }[];
	/** Set if the user has a second factor, which is not exported. */
	twoFactorEnabled?: true;
	/** Set if the user is banned. Bans are not imported. */
	banned?: true;
};

/**
 * A user to import: from an export, or from another system.
 *
 * @example
 * ```ts
 * const user: UserToImport = { email: "ada@example.com", name: "Ada", emailVerified: true };
 * ```
 */
export type UserToImport = z.input<typeof line>;
export type ImportedUser = z.output<typeof line>;

/** PostgreSQL rejects NUL, and one invalid user would fail the whole batch. */
const text = z.string().regex(/^[^\0]*$/);
/** Longer values do not fit in a unique index of MySQL. */
const key = text.min(1).max(255);
/** Ids are used in URLs, cookies and storage keys. */
const USER_ID = /^[\x21-\x7e]{1,255}$/;

const account = z
	.strictObject({
		providerId: key.meta({ description: "A provider, or `credential` for the password" }),
		accountId: key.meta({ description: "The user's id at the provider. Not needed for `credential`" }).optional(),
		password: text.max(1024).meta({ description: "The password hash. For `credential` only" }).optional(),
	})
	.refine(({ providerId, accountId }) => isCredential(providerId) || accountId !== undefined, { path: ["accountId"] })
	.refine(({ providerId, password }) => isCredential(providerId) || password === undefined, { path: ["password"] });

const line = z.strictObject({
	id: z.string().regex(USER_ID).meta({ description: "Kept if set. Otherwise the user gets a new id" }).optional(),
	email: z
		.email()
		.max(255)
		// the engine stores and looks up emails in lower case
		.transform((email) => email.toLowerCase()),
	emailVerified: z.boolean().default(false),
	name: text,
	image: text.nullish(),
	createdAt: date.optional(),
	updatedAt: date.optional(),
	accounts: z
		.array(account)
		.max(50)
		.default([])
		.refine((accounts) => new Set(accounts.map(accountKey)).size === accounts.length),
	twoFactorEnabled: z.boolean().nullish(),
	banned: z.boolean().nullish(),
});

export const isCredential = (providerId: string): boolean => providerId === "credential";

/** A user has only one password, whatever its account id is. */
export const accountKey = ({
	providerId,
	accountId,
}: {
	providerId: string;
	accountId?: string | undefined;
}): string => (isCredential(providerId) ? providerId : `${providerId}\0${accountId}`);

/** The engine's scrypt format: a 16-byte salt and a 64-byte key, in hexadecimal. */
const ENGINE_HASH = /^[0-9a-f]{32}:[0-9a-f]{128}$/;
export const isEngineHash = (hash: string): boolean => ENGINE_HASH.test(hash);

/** Validates a user, or throws a code. The message names the invalid fields, but not their values. */
export const readLine = (given: unknown, acceptsPasswordHash: (hash: string) => boolean): ImportedUser => {
	const read = line.safeParse(given);
	if (!read.success) {
		const { code, message } = TRANSFER_ERROR_CODES.INVALID_USER;
		const fields = new Set(read.error.issues.flatMap(fieldsOf));
		throw APIError.from("BAD_REQUEST", { code, message: `${message}. Check ${[...fields].slice(0, 5).join(", ")}` });
	}
	const user = read.data;
	if (user.twoFactorEnabled) throw APIError.from("BAD_REQUEST", TRANSFER_ERROR_CODES.SECOND_FACTOR_NOT_MOVED);
	if (user.banned) throw APIError.from("BAD_REQUEST", TRANSFER_ERROR_CODES.BAN_NOT_MOVED);
	const accepts = ({ password }: { password?: string | undefined }) =>
		password === undefined || acceptsPasswordHash(password) === true;
	if (!user.accounts.every(accepts))
		throw APIError.from("BAD_REQUEST", TRANSFER_ERROR_CODES.PASSWORD_HASH_NOT_ACCEPTED);
	return user;
};

const fieldsOf = (issue: z.core.$ZodIssue): string[] => {
	const place = issue.path.join(".");
	const unknown = issue.code === "unrecognized_keys" ? issue.keys.map((name) => name.slice(0, 40)) : null;
	return unknown ? unknown.map((name) => (place ? `${place}.${name}` : name)) : [place || "the line"];
};
