import { importSigningKey } from "./re-sign.ts";
import { valueOfSigned } from "./signed-value.ts";

const utf8 = new TextEncoder();

/** Whether a secret signed a `value.signature`, as the engine signs cookies. */
export const isSignedBy = async (secret: string, signed: string): Promise<boolean> => {
	const value = valueOfSigned(signed);
	const signature = signed.slice(value.length + 1);
	if (value === "" || !/^[A-Za-z0-9+/]{43}=$/.test(signature)) return false;
	const bytes = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
	return crypto.subtle.verify("HMAC", await importSigningKey(secret), bytes, utf8.encode(value));
};
