import type { AuthContext } from "@better-auth/core";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import * as z from "zod";
import type { TenantSecrets } from "../../scope/secrets/secrets.ts";
import type { EngineTableName, SealedTable } from "./reencrypt.ts";
import { isSealedWith } from "./seal.ts";

type SecretsOf = (tenantId: string) => Promise<TenantSecrets>;

/** How a table keeps its encrypted values. */
type Kept = {
	fields: readonly string[];
	/** The ciphertext in a stored value. Null if it is not encrypted. */
	read: (stored: string) => string | null;
	write: (sealed: string) => string;
};

/** The engine's own test of a value that may be encrypted or plain. */
const ciphertext = (stored: string): string | null =>
	stored.startsWith("$ba$") || (stored.length % 2 === 0 && /^[0-9a-f]+$/i.test(stored)) ? stored : null;

const plain = { read: ciphertext, write: (sealed: string) => sealed };

/** The jwt plugin stores a JSON text: of the ciphertext, or of the key itself with `disablePrivateKeyEncryption`. */
const asJson = {
	read: (stored: string): string | null => {
		const { data } = z.string().safeParse(parsed(stored));
		return data === undefined ? null : ciphertext(data);
	},
	write: (sealed: string) => JSON.stringify(sealed),
};

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

const ownBackupCodes = z.looseObject({ backupCodeOptions: z.looseObject({ storeBackupCodes: z.looseObject({}) }) });
const ownClientSecrets = z.looseObject({ storeClientSecret: z.looseObject({}) });

/** Which values the engine and its plugins encrypt with the secret, by table. The application's own functions are left out. */
const keptValues = ({ options }: AuthContext): Record<EngineTableName, Kept> => {
	const optionsOf = (id: string): unknown => options.plugins?.find((plugin) => plugin.id === id)?.options;
	const hasOwnCodes = ownBackupCodes.safeParse(optionsOf("two-factor")).success;
	const hasOwnSecrets = ownClientSecrets.safeParse(optionsOf("oauth-provider")).success;
	return {
		twoFactor: { fields: hasOwnCodes ? ["secret"] : ["secret", "backupCodes"], ...plain },
		jwks: { fields: ["privateKey"], ...asJson },
		account: { fields: options.account?.encryptOAuthTokens ? ["accessToken", "refreshToken"] : [], ...plain },
		oauthClient: { fields: hasOwnSecrets ? [] : ["clientSecret"], ...plain },
	};
};

/**
 * The engine's tables with values that it encrypts with the secrets of their tenant: second factors, signing keys, and if
 * configured the tokens of OAuth accounts and the secrets of OAuth clients. Codes that expire within minutes are left out.
 */
export const engineTables = (context: AuthContext, secretsOf: SecretsOf): SealedTable[] =>
	Object.entries(keptValues(context)).flatMap(([name, { fields, read, write }]): SealedTable[] => {
		if (!(name in context.tables) || fields.length === 0) return [];
		const model = name as EngineTableName;
		return [
			{
				model,
				fields,
				mark: `${model}:`,
				sealAgain: async (row, _field, value) => {
					const sealed = read(value);
					if (sealed === null) return undefined;
					const key = (await secretsOf(row.tenantId)).secretConfig;
					if (isSealedWith(key, sealed)) return undefined;
					const data = await symmetricDecrypt({ key, data: sealed }).catch(() => null);
					return data === null ? null : write(await symmetricEncrypt({ key, data }));
				},
				describe: (row) => ({ tenantId: row.tenantId, table: model, id: row.id }),
			},
		];
	});
