import { sha256Text } from "../../lib/sha256.ts";
import { parseJson } from "./stored-values.ts";

/** A verification: a reset token, a one-time password, a magic link, an OAuth state, a trusted device. */
export type Verification = { identifier: string; value: string /** only in the database */; id?: string };

export type Claimant = { id: string; email: unknown; phoneNumber?: unknown };

/** The verifications of some users: names to look up, and a test for those that only their content identifies. */
export type Claims = {
	identifiers: string[];
	/** Values that are a user id or a session token. */
	values: string[];
	isClaimed: (verification: Verification) => boolean;
};

const OTP_KINDS = ["sign-in", "email-verification", "forget-password", "change-email"];

/** Verifications whose value is a user id. Other values may look like one, for example a counter. */
const NAMES_USER = /^(reset-password:|delete-account-|trust-device-|2fa-(?!otp-|attempts-))/;
/** An identifier that the engine hashed (`verification.storeIdentifier`). */
const HASHED = /^[\w-]{43}$/;
const COUNTS = /^\d+$/;

/** Describes the verifications of users. The engine stores no user id with them, so each kind is recognized by itself. */
export const claimVerifications = async (users: Claimant[], sessionTokens: string[]): Promise<Claims> => {
	const ids = new Set(users.map(({ id }) => id));
	const emails = textsOf(users.map(({ email }) => email));
	const phones = textsOf(users.map(({ phoneNumber }) => phoneNumber));
	const tokens = new Set(sessionTokens);
	const named = [
		...[...emails].flatMap((email) => OTP_KINDS.map((kind) => `${kind}-otp-${email}`)),
		// Better Auth 1.7.18 renamed both
		...[...phones].flatMap((phone) => [
			phone,
			`${phone}-request-password-reset`,
			`phone-number-otp-${phone}`,
			`phone-number-reset-${phone}`,
		]),
	];
	const identifiers = new Set([...named, ...(await Promise.all(named.map(sha256Text)))]);

	const isClaimedName = (identifier: string): boolean => {
		if (identifiers.has(identifier)) return true;
		// 2fa-otp-<user>!<session>
		if (identifier.startsWith("2fa-otp-")) return ids.has(identifier.slice(8).split("!")[0] ?? "");
		if (!identifier.startsWith("change-email-otp-")) return false;
		const change = identifier.slice(17);
		// change-email-otp-<user>:<new email>, since Better Auth 1.7.18
		if (ids.has(change.slice(0, change.indexOf(":")))) return true;
		// change-email-otp-<email>-<new email>, before
		const parts = change.split("-");
		return parts.some((_, at) => emails.has(parts.slice(0, at).join("-")));
	};
	const isClaimedValue = ({ identifier, value }: Verification): boolean => {
		if (tokens.has(value)) return true;
		// a challenge holds the epoch of the user behind the id: src/features/rights/challenges.ts
		const isChallenge = value.includes(" ") && ids.has(value.slice(0, value.lastIndexOf(" ")));
		if (isChallenge || ids.has(value))
			return NAMES_USER.test(identifier) || (HASHED.test(identifier) && !COUNTS.test(value));
		return value.startsWith("{") && isInside(parseJson(value));
	};
	/** OAuth states, passkey challenges, magic links and authorization codes are JSON objects. */
	const isInside = (content: unknown, name = ""): boolean => {
		if (typeof content === "string")
			return emails.has(content) || phones.has(content) || ((name === "userId" || name === "id") && ids.has(content));
		if (typeof content !== "object" || content === null) return false;
		return Object.entries(content).some(([key, inner]) => isInside(inner, key));
	};
	return {
		identifiers: [...identifiers],
		values: [...ids, ...tokens],
		isClaimed: (verification) => isClaimedName(verification.identifier) || isClaimedValue(verification),
	};
};

const textsOf = (values: unknown[]): Set<string> =>
	new Set(values.filter((value): value is string => typeof value === "string" && value !== ""));
