import type { Pool } from "pg";
import type { SecretsConfig } from "../config/secrets.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import type { Patient } from "./patient.ts";
import { findStoredVersions, type StoredVersion } from "./stored-versions.ts";

const { ok, warning, wrong, notChecked } = findingsOf("rotation");

/**
 * Reports for each secret that does not sign whether it can be removed. Stored values name the secret that encrypted them. A
 * cookie does not, so the check reports how old the oldest sign-in is that is still valid.
 */
export const checkRotation = async ({ config, pool }: Patient): Promise<Finding[]> => {
	if (!pool || !config.secrets || !config.session) return [notChecked("the configuration is incomplete")];
	try {
		const stored = await findStoredVersions(pool);
		const unknown = findUnknown(config.secrets, stored);
		const [current, ...others] = config.secrets.versioned;
		if (!current || others.length === 0)
			return unknown.length > 0 ? unknown : [ok("One secret is configured, and nothing needs another one")];
		const oldest = await oldestSignIn(pool, config.session.maxAge);
		return [
			...unknown,
			...others.map(({ version }) =>
				version > current.version
					? notYetFirst(version)
					: mayGo(version, {
							secrets: config.secrets as SecretsConfig,
							stored,
							oldest,
							maxAge: config.session?.maxAge ?? 0,
						}),
			),
		];
	} catch (error) {
		return [notChecked(`the database could not be queried: ${describeFailure(error).says}`)];
	}
};

/** Values that no configured secret decrypts. Values without a version need AUTH_SECRET, and the check of credentials tries it. */
const findUnknown = ({ versioned }: SecretsConfig, stored: readonly StoredVersion[]): Finding[] =>
	stored
		.filter((found) => found.version !== null && !versioned.some(({ version }) => version === found.version))
		.map(({ version, table, values }) =>
			wrong(
				`${values} values in ${table} are encrypted with version ${version}, which is not configured`,
				`Add it to AUTH_SECRETS, at the end: …,${version}:SECRET.`,
			),
		);

const notYetFirst = (version: number): Finding =>
	ok(`Version ${version} verifies and decrypts. When all servers have it, put it first: it then signs and encrypts`);

type Seen = { secrets: SecretsConfig; stored: readonly StoredVersion[]; oldest: Date | null; maxAge: number };

const mayGo = (version: number, { secrets, stored, oldest, maxAge }: Seen): Finding => {
	const own = secrets.versioned.find((one) => one.version === version)?.value;
	// values without a version are decrypted with `secret`
	const needs = stored.filter(
		(found) => found.version === version || (found.version === null && own === secrets.secret),
	);
	if (needs.length > 0)
		return warning(
			`Version ${version} cannot be removed: it encrypted ${needs.map(({ values, table }) => `${values} values in ${table}`).join(", ")}`,
			"Run `tenants reencrypt` when all servers have the new secret first, then run doctor again.",
		);
	const first = secrets.versioned[0]?.version;
	if (oldest === null || !secrets.verifiesWithAll)
		return ok(`Version ${version} can be removed: no stored value needs it, and it keeps nobody signed in`);
	return ok(
		`Version ${version} can be removed if all servers had version ${first} first before ${oldest.toISOString()}. No stored value needs it, and no valid session cookie is older than that. Otherwise wait until ${Math.ceil(maxAge / 86_400)} days after the last server was changed, or the users who did not return since then must sign in again`,
	);
};

/**
 * When the oldest session that is still valid got its cookie, or earlier. The engine writes the cookie when it creates or
 * extends a session, and then sets the expiry to `maxAge` from that moment.
 */
const oldestSignIn = async (pool: Pool, maxAge: number): Promise<Date | null> => {
	const { rows } = await pool.query<{ oldest: Date | null }>(
		`select min(greatest("createdAt", "expiresAt" - make_interval(secs => $1))) as oldest from "session" where "expiresAt" > now()`,
		[maxAge],
	);
	return rows[0]?.oldest ?? null;
};
