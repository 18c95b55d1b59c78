import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { TenantSecrets } from "../../scope/secrets/secrets.ts";

/** Encrypts a value of one tenant with the secret of another. Null if the first tenant's secret does not decrypt it. */
export type EncryptAgain = (sealed: string) => Promise<string | null>;

export const createEncryptAgain =
	(from: TenantSecrets["secretConfig"], to: TenantSecrets["secretConfig"]): EncryptAgain =>
	async (sealed) => {
		const data = await symmetricDecrypt({ key: from, data: sealed }).catch(() => null);
		return data === null ? null : symmetricEncrypt({ key: to, data });
	};

/** The columns of a second factor for the target. Null if one of them cannot be decrypted. */
export const moveSecondFactor = async (
	row: Record<string, unknown>,
	encryptAgain: EncryptAgain,
	hasOwnEncryption: boolean,
): Promise<{ secret?: string; backupCodes?: string } | null> => {
	const changes: { secret?: string; backupCodes?: string } = {};
	if (typeof row.secret === "string" && row.secret !== "") {
		const secret = await encryptAgain(row.secret);
		if (secret === null) return null;
		changes.secret = secret;
	}
	// `storeBackupCodes: "plain"` stores a JSON list; the application's own functions know no tenant
	if (typeof row.backupCodes === "string" && row.backupCodes !== "" && !isList(row.backupCodes) && !hasOwnEncryption) {
		const backupCodes = await encryptAgain(row.backupCodes);
		if (backupCodes === null) return null;
		changes.backupCodes = backupCodes;
	}
	return changes;
};

const isList = (text: string): boolean => {
	try {
		return Array.isArray(JSON.parse(text));
	} catch {
		return false;
	}
};

const TOKENS = ["accessToken", "refreshToken", "idToken"] as const;
type Token = (typeof TOKENS)[number];

/**
 * The provider tokens of an account for the target. They are removed if the target has other credentials at the
 * provider, or if they cannot be decrypted. The next sign-in stores new ones.
 */
export const moveTokens = async (
	row: Record<string, unknown>,
	encryptAgain: EncryptAgain,
	{ keeps, encrypted }: { keeps: boolean; encrypted: boolean },
): Promise<Partial<Record<Token, string | null>>> => {
	const changes: Partial<Record<Token, string | null>> = {};
	for (const name of TOKENS) {
		const token = row[name];
		if (typeof token !== "string") continue;
		if (!keeps) changes[name] = null;
		// ID tokens are stored as they are, and so are tokens from before the option was set
		else if (encrypted && looksEncrypted(token)) changes[name] = await encryptAgain(token);
	}
	return changes;
};

/** The engine's own test. */
const looksEncrypted = (token: string): boolean =>
	token.startsWith("$ba$") || (token.length % 2 === 0 && /^[0-9a-f]+$/i.test(token));
