import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import * as z from "zod";
import type { SecretsConfig } from "../config/secrets.ts";
import type { LetterRequest } from "./letter-request.ts";

/** A mail as it waits in the database. */
export type StoredMail = { id: string; to: string; tenantId: string; request: LetterRequest };

/** Distinguishes mails from everything else that is encrypted with the secret. */
const PURPOSE = "mail";

const opened = z.object({
	purpose: z.literal(PURPOSE),
	id: z.string(),
	to: z.string(),
	tenantId: z.string(),
	// authenticated by the encryption; an unknown kind is rejected when it is written
	request: z.custom<LetterRequest>((value) => typeof value === "object" && value !== null && "kind" in value),
});

/**
 * Encrypts mails with the auth secret, because links and codes in them sign users in. With AUTH_SECRETS, the first secret
 * encrypts and every secret decrypts.
 */
export const createSeal = ({ secret, versioned }: SecretsConfig) => {
	const [current] = versioned;
	const key = current
		? {
				keys: new Map(versioned.map(({ version, value }) => [version, value])),
				currentVersion: current.version,
				legacySecret: secret,
			}
		: secret;
	return {
		seal: (mail: StoredMail): Promise<string> =>
			symmetricEncrypt({ key, data: JSON.stringify({ purpose: PURPOSE, ...mail }) }),
		/** Throws if the secret is not known, or if it is no mail. */
		open: async (data: string): Promise<StoredMail> => {
			const { purpose: _, ...mail } = opened.parse(JSON.parse(await symmetricDecrypt({ key, data })));
			return mail;
		},
	};
};
