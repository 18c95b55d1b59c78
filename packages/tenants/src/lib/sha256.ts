export const sha256 = async (text: string): Promise<Uint8Array<ArrayBuffer>> =>
	new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** SHA-256 in base64url without padding. The engine and its plugins store hashed values in this form. */
export const sha256Text = async (text: string): Promise<string> =>
	btoa(String.fromCharCode(...(await sha256(text))))
		.replace(/\+/g, "-")
		.replace(/\//g, "_")
		.replaceAll("=", "");

/** The first bytes of a SHA-256 hash, in hexadecimal. */
export const sha256Beginning = (digest: Uint8Array, bytes: number): string =>
	[...digest.subarray(0, bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
