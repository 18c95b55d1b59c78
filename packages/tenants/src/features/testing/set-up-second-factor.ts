import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { cookieHeader } from "./cookie-header.ts";
import { knownEndpoint } from "./endpoints.ts";
import type { TenantIsolationAuth } from "./options.ts";
import type { Answer, Send } from "./send.ts";
import { tokenOf } from "./session-token.ts";
import type { TenantIsolationSide, TenantIsolationUser } from "./side.ts";

type SetUpWith = { auth: TenantIsolationAuth; context: AuthContext; send: Send };
type GenerateTotp = (call: { body: { secret: string } }) => Promise<{ code: string }>;
type Completed = { user: TenantIsolationUser; backupCodes: string[] };

/**
 * Sets up an authenticator as the user would: with a code. For a user whose tenant requires a second factor, because their
 * session reaches nothing without it, and attacks with it prove nothing. Also if `anyway`, so that the endpoints for users
 * with a second factor are reached.
 */
export const setUpSecondFactor = async (
	{ auth, context, send }: SetUpWith,
	side: TenantIsolationSide,
	user: TenantIsolationUser,
	anyway: boolean,
): Promise<Completed> => {
	const unchanged: Completed = { user, backupCodes: [] };
	if (!("enableTwoFactor" in auth.api)) return unchanged;
	let { headers } = user;
	const ask = async (method: "GET" | "POST", path: string, body?: Record<string, unknown>): Promise<Answer> => {
		const answer = await send({
			endpoint: knownEndpoint(method, path),
			input: body ? { body } : {},
			headers,
			hint: side,
		});
		headers = { ...headers, cookie: cookieHeader(headers.cookie ?? "", answer.cookies) };
		return answer;
	};
	// an endpoint of tenantPolicy()
	const isRequired =
		"getTenantSecondFactor" in auth.api &&
		fieldsOf(await ask("GET", "/tenant/second-factor")).secondFactor === "enroll";
	if (!isRequired && !anyway) return unchanged;

	const enabled = await ask("POST", "/two-factor/enable", { password: user.password });
	const { totpURI, backupCodes } = fieldsOf(enabled);
	const secret = URL.parse(String(totpURI))?.searchParams.get("secret") ?? "";
	const generate = Reflect.get(auth.api, "generateTOTP") as GenerateTotp;
	const { code } = secret ? await generate({ body: { secret: fromBase32(secret) } }) : { code: "" };
	const verified = await ask("POST", "/two-factor/verify-totp", { code });
	if (verified.status !== 200 && !isRequired) return unchanged;
	if (verified.status !== 200)
		throw new BetterAuthError(
			`assertTenantIsolation: ${side.label} requires a second factor, and an authenticator could not be set up: /two-factor/enable returned ${enabled.status}, /two-factor/verify-totp ${verified.status} ${verified.text}. Allow TOTP, or set \`signUp\` to return a session that has a second factor.`,
		);
	const token = await tokenOf(context, side, user.userId);
	return {
		user: { ...user, headers, token },
		backupCodes: Array.isArray(backupCodes) ? backupCodes.map(String) : [],
	};
};

const fieldsOf = ({ text }: Answer): Record<string, unknown> => {
	try {
		return JSON.parse(text) ?? {};
	} catch {
		return {};
	}
};

/** RFC 4648, section 6. The secrets of Better Auth are text. */
const fromBase32 = (encoded: string): string => {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	const bits = [...encoded.toUpperCase().replaceAll("=", "")]
		.map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"))
		.join("");
	return (bits.match(/[01]{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join("");
};
