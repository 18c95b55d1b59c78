import * as z from "zod";

const signed = z.object({ response: z.object({ response: z.object({ authenticatorData: z.string() }) }) });

/** RP id hash (32 bytes), then the flags. Bit 2: user verified (WebAuthn Level 2, section 6.1). */
const FLAGS_AT = 32;
const USER_VERIFIED = 0b100;

/**
 * Whether the authenticator verified its user (PIN, fingerprint), in the body of `/passkey/verify-authentication`. The
 * engine has verified the signature over this data when it creates the session, and does not pass the flag on.
 */
export const isUserVerified = (body: unknown): boolean => {
	const read = signed.safeParse(body);
	if (!read.success) return false;
	return (byteAt(read.data.response.response.authenticatorData, FLAGS_AT) & USER_VERIFIED) !== 0;
};

/** One byte of base64url text, or 0 if there is none. */
const byteAt = (text: string, index: number): number => {
	try {
		return atob(text.replace(/-/g, "+").replace(/_/g, "/")).charCodeAt(index) || 0;
	} catch {
		return 0;
	}
};
