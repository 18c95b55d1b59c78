import type { Config } from "../config/config.ts";
import type { SecretsConfig } from "../config/secrets.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("secrets");

/** Bits below which a secret was rather typed than made: the engine's own measure. */
const LEAST_BITS = 120;

/** Whether secrets are as good as random, and each is used for one thing. Asks nobody. */
export const checkSecrets = async (
	{ secret, versioned }: SecretsConfig,
	management: Config["management"] | undefined,
): Promise<Finding[]> => {
	const secrets = versioned.length > 0 ? versioned.map(({ value }) => value) : [secret];
	const findings: Finding[] = [];
	const isWeak = secrets.map((value) => bitsOf(value) < LEAST_BITS);
	if (isWeak[0])
		findings.push(
			wrong(
				"The secret that signs and encrypts looks typed, not random: it can be guessed",
				"Make one with `openssl rand -base64 32`, and put it first in AUTH_SECRETS: 2:NEW,1:OLD.",
			),
		);
	else if (isWeak.includes(true))
		findings.push(
			warning(
				"An older secret of AUTH_SECRETS looks typed, not random",
				"Seal what it sealed anew (docs/rotation.md), then take it out.",
			),
		);
	if (new Set(secrets).size < secrets.length)
		findings.push(
			wrong("Two versions of AUTH_SECRETS are one and the same secret", "Make a new one for the newest version."),
		);
	if (management?.keys.some((key) => secrets.includes(key)))
		findings.push(
			wrong(
				"A management key is also an auth secret: whoever manages can sign in as anybody",
				"Make another key with `openssl rand -base64 32`.",
			),
		);
	if (management?.keys.some((key) => bitsOf(key) < LEAST_BITS))
		findings.push(
			wrong(
				"One of MANAGEMENT_KEYS looks typed, not random: it can be guessed",
				"Make one with `openssl rand -base64 32`.",
			),
		);
	if (findings.length > 0) return findings;
	const [current, ...older] = versioned;
	if (!current) return [ok("One secret, without versions")];
	const kept =
		older.length === 0 ? "" : `; ${older.map(({ version }) => version).join(", ")} still open what they sealed`;
	return [ok(`Version ${current.version} signs and encrypts${kept}`)];
};

/** What a text could hold at most: its length times the bits of an alphabet of its own letters. */
const bitsOf = (secret: string): number => secret.length * Math.log2(Math.max(new Set(secret).size, 1));
