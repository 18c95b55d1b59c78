import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { findKeys } from "../../scope/data/key-scan.ts";
import { marksUsedName } from "../../scope/data/reserved-ids.ts";
import { storagePrefix } from "../../scope/data/storage.ts";
import { isSessionToken } from "../../scope/sessions/impersonated-session.ts";
import { SESSION_LIST } from "../../scope/sessions/stored-sessions.ts";
import { createVerificationEnd } from "../move/end-verifications.ts";
import { inGroups } from "../move/stored-values.ts";
import { EPOCH, newEpoch } from "../rights/epoch.ts";
import type { ClosedTenants, Closing } from "../tenants/closing.ts";

/**
 * Tables whose rows are sessions, or are exchanged for one, or sign tokens. A table that references another comes before it.
 * Verifications are ended by themselves.
 */
export const ENDED_TABLES = ["oauthAccessToken", "oauthRefreshToken", "deviceCode", "session", "jwks"] as const;

/**
 * Deletes what signed users in to a closed tenant: sessions, one-time tokens and passwords, reset and magic links, codes of
 * devices, tokens of the OAuth provider, and the key pairs of JWTs. Passwords, passkeys, second factors, linked accounts and
 * API keys stay. So do the marks of used names: without them, an old SAML assertion could be used again.
 */
export const endSessions = async (
	{ adapter, storage, sweepRows }: ClosedTenants,
	tables: BetterAuthDBSchema,
	closing: Closing,
): Promise<void> => {
	const { tenantId } = closing;
	await sweepRows(
		ENDED_TABLES.filter((table) => tables[table] !== undefined),
		closing,
	);
	const verifications = createVerificationEnd({ adapter, storage, hasTable: tables.verification !== undefined });
	if (!(await closing.isSame())) return;
	await verifications.all(tenantId, {
		identifiers: [],
		values: [],
		isClaimed: ({ id }) => id === undefined || !marksUsedName(id),
	});
	const prefix = storagePrefix(tenantId);
	for await (const keys of (storage && findKeys(storage, prefix)) ?? []) {
		if (!(await closing.isSame())) return;
		const ended = keys.filter((key) => isEnded(key.slice(prefix.length)));
		await inGroups(ended, async (key) => {
			await storage?.delete(key);
			return [];
		});
	}
};

/**
 * Starts a new epoch of every user, so that no request that began before the suspension acts with a session of then. Writes each
 * user of the tenant once. Nothing without `tenantAdmin()`.
 */
export const endRequests = async (
	{ adapter }: Pick<ClosedTenants, "adapter">,
	{ user }: BetterAuthDBSchema,
	tenantId: string,
): Promise<void> => {
	if (!user?.fields[EPOCH]) return;
	const where = [{ field: "tenantId", value: tenantId }];
	await adapter.updateMany({ model: "user", where, update: { [EPOCH]: newEpoch() } });
};

/** API keys, rate limits and the rest of the storage stay. */
const isEnded = (key: string): boolean => isSessionToken(key) || key.startsWith(SESSION_LIST);
