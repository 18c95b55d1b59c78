import { signJWT, verifyJWT } from "better-auth/crypto";
import { contextOf, type RunningAuth } from "../../engine/service.ts";
import { sha256Text } from "../../lib/sha256.ts";
import { verifyingSecretsOf } from "../../scope/secrets/secrets.ts";

/**
 * What was deleted when a user was erased. Contains no name and no email.
 *
 * @example
 * ```ts
 * const rows = ({ rows }: Erasure) => Object.values(rows).reduce((sum, count) => sum + count, 0);
 * ```
 */
export type Erasure = {
	/** The tenant of the user. */
	tenantId: string;
	/** The id of the user. */
	userId: string;
	/** When the user was erased, in ISO 8601. */
	at: string;
	/** Who erased the user: `key:…`, `user:…`, `server` or `application`. */
	by: string;
	/** The number of deleted rows, by table. */
	rows: Record<string, number>;
	/** The number of sessions that ended, in the database or in the secondary storage. */
	sessions: number;
	/** The number of deleted verifications, in the database and in the secondary storage. */
	verifications: number;
	/** What was kept: the audit entry of this erasure. */
	kept: string[];
};

/** Long enough for any duty to keep records. The engine's signature needs an end. */
const CENTURY = 100 * 365 * 86_400;

/** A key of its own, so that a record is never a valid token of the engine. */
const keyOf = (secret: string): Promise<string> => sha256Text(`better-auth-tenants.erasure\0${secret}`);

/** Signs a record with the secret of the application. */
export const signErasure = async (erasure: Erasure, secret: string): Promise<string> =>
	signJWT({ erasure }, await keyOf(secret), CENTURY);

const isErasure = (found: unknown): found is Erasure =>
	typeof found === "object" &&
	found !== null &&
	"tenantId" in found &&
	typeof found.tenantId === "string" &&
	"userId" in found &&
	typeof found.userId === "string";

/**
 * Verifies the signed record of an erasure. Returns null if another server signed it, if it was changed, or if it is not about
 * the `expected` tenant or user. After a rotation, it needs the secret that signed the record in `secrets`. With
 * `verifyWithAllSecrets: false`, it accepts what the first secret signed.
 *
 * @example
 * ```ts
 * const erasure = await verifyErasure(auth, record, { tenantId });
 * ```
 */
export const verifyErasure = async (
	auth: RunningAuth,
	record: string,
	expected: Partial<Pick<Erasure, "tenantId" | "userId">> = {},
): Promise<Erasure | null> => {
	const verifyingSecrets = verifyingSecretsOf(await contextOf(auth));
	for (const known of verifyingSecrets) {
		const erasure = (await verifyJWT<{ erasure?: unknown }>(record, await keyOf(known)))?.erasure;
		if (!isErasure(erasure)) continue;
		const { tenantId = erasure.tenantId, userId = erasure.userId } = expected;
		return erasure.tenantId === tenantId && erasure.userId === userId ? erasure : null;
	}
	return null;
};
