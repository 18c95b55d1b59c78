import { randomBytes } from "node:crypto";

/** Returns the text of `.env.example` with a fresh random value for each secret without a value. */
export const fillSecrets = (example: string): string =>
	example.replace(
		/^(\w*(?:SECRET|KEY))=$/gm,
		(_line, name: string) => `${name}=${randomBytes(32).toString("base64url")}`,
	);
