import { valueOfSigned } from "./signed-value.ts";

/** The keys of one tenant: the engine signs with the current one, and the others are configured beside it. */
export type SigningKeys = { current: CryptoKey; others: readonly CryptoKey[] };

const HMAC = { name: "HMAC", hash: "SHA-256" };
const utf8 = new TextEncoder();

/** The key that the engine makes of a secret to sign cookies and tokens. */
export const importSigningKey = (secret: string): Promise<CryptoKey> =>
	crypto.subtle.importKey("raw", utf8.encode(secret), HMAC, false, ["sign", "verify"]);

/**
 * Returns a signature of the current key for a text that one of the other keys signed. Null if the current key signed
 * it, or none of them. WebCrypto compares in constant time.
 */
const signAgain = async (
	keys: SigningKeys,
	text: string,
	signature: Uint8Array<ArrayBuffer> | null,
): Promise<Uint8Array | null> => {
	if (!signature) return null;
	const data = utf8.encode(text);
	if (await crypto.subtle.verify(HMAC, keys.current, signature, data)) return null;
	for (const key of keys.others) {
		if (await crypto.subtle.verify(HMAC, key, signature, data)) return signWith(keys, text);
	}
	return null;
};

const signWith = async ({ current }: SigningKeys, text: string): Promise<Uint8Array> =>
	new Uint8Array(await crypto.subtle.sign(HMAC, current, utf8.encode(text)));

/** Whether one of the keys signed a cookie's `value.signature`. */
export const isSignedCookie = async ({ current, others }: SigningKeys, signed: string): Promise<boolean> => {
	const value = valueOfSigned(signed);
	const signature = fromBase64(signed.slice(value.length + 1));
	if (value === "" || !signature) return false;
	for (const key of [current, ...others])
		if (await crypto.subtle.verify(HMAC, key, signature, utf8.encode(value))) return true;
	return false;
};

/** Signs a cookie's `value.signature` again. Null if the current key signed it, or none. */
export const signCookieAgain = async (keys: SigningKeys, signed: string): Promise<string | null> => {
	const value = valueOfSigned(signed);
	const signature = signed.slice(value.length + 1);
	// padded base64 of 32 bytes; the engine rejects everything else
	if (value === "" || signature.length !== 44 || !signature.endsWith("=")) return null;
	const again = await signAgain(keys, value, fromBase64(signature));
	return again && `${value}.${toBase64(again)}`;
};

/** The header of every token that the engine signs with its secret: `{"alg":"HS256"}`. */
const JWT_HEADER = "eyJhbGciOiJIUzI1NiJ9";
const JWT = new RegExp(`^(${JWT_HEADER}\\.[\\w-]+)\\.([\\w-]{43})$`);

/** Signs a JWT of the engine again. Its payload, with its expiry, stays as it is. */
export const signJwtAgain = async (keys: SigningKeys, token: string): Promise<string | null> => {
	const [, signed = "", signature = ""] = JWT.exec(token) ?? [];
	const again = signed === "" ? null : await signAgain(keys, signed, fromBase64(signature));
	return again && `${signed}.${toBase64Url(again)}`;
};

/** Signs the engine's cookie cache in its format `compact` again: base64url of a session, its expiry and a signature. */
export const signCacheAgain = async (keys: SigningKeys, cached: string): Promise<string | null> => {
	const { session, expiresAt, signature } = readCompactCache(cached) ?? {};
	if (!isRecord(session) || typeof expiresAt !== "number" || typeof signature !== "string") return null;
	const again = await signAgain(keys, JSON.stringify({ ...session, expiresAt }), fromBase64(signature));
	if (!again) return null;
	return toBase64Url(utf8.encode(JSON.stringify({ session, expiresAt, signature: toBase64Url(again) })));
};

const readCompactCache = (cached: string): Record<string, unknown> | null => {
	const bytes = fromBase64(cached);
	try {
		const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
		return isRecord(value) ? value : null;
	} catch {
		return null;
	}
};

/** The value of the cookie: a signature, and the identifier under which the two-factor plugin stores the device. */
const TRUSTED_DEVICE = /^([\w-]{43})!(trust-device-[\w-]+)$/;

/**
 * Signs the cookie of a trusted device again. Its value contains a signature too, of the user's id, which the cookie does
 * not contain. `findUserId` finds it by the identifier of the device.
 */
export const signTrustedDeviceAgain = async (
	keys: SigningKeys,
	signed: string,
	findUserId: (identifier: string) => Promise<string | undefined>,
): Promise<string | null> => {
	const again = await signCookieAgain(keys, signed);
	const [, token = "", identifier = ""] = again ? (TRUSTED_DEVICE.exec(valueOfSigned(again)) ?? []) : [];
	const userId = identifier === "" ? undefined : await findUserId(identifier);
	if (userId === undefined) return again;
	const inner = await signAgain(keys, `${userId}!${identifier}`, fromBase64(token));
	if (!inner) return again;
	const value = `${toBase64Url(inner)}!${identifier}`;
	return `${value}.${toBase64(await signWith(keys, value))}`;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Decodes base64 and base64url, with or without padding. Null for anything else. */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
	try {
		return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (byte) => byte.charCodeAt(0));
	} catch {
		return null;
	}
};

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

const toBase64Url = (bytes: Uint8Array): string =>
	toBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replaceAll("=", "");
