/** Authenticators may cut more (WebAuthn, section 6.4.1), and the QR code of a longer one is too fine for a camera. */
const MAX_BYTES = 64;

/**
 * Cleans a name for authenticator apps and passkeys: one line of at most 64 bytes, without characters that show nothing or
 * change the writing direction. Without a colon, which separates issuer and account in a TOTP URI, also if it is encoded.
 */
export const cleanLabel = (name: string): string => {
	const clean = name
		.normalize("NFC")
		.replace(/[\p{C}\p{Z}\p{DI}\s:]+/gu, " ")
		.trim();
	// writes whole characters only
	const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(MAX_BYTES));
	return clean.slice(0, read).trim();
};
