import type { Config } from "../config/config.ts";
import type { SecretsConfig } from "../config/secrets.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("secrets");

/** Fewer bits suggest a secret that was typed, not generated. The threshold is the engine's. */
const LEAST_BITS = 120;

/** Checks that secrets look random and that each has one purpose. Makes no requests. */
export const checkSecrets = async (
	{ distinct, verifiesWithAll }: SecretsConfig,
	management: Config["management"] | undefined,
): Promise<Finding[]> => {
	const secrets = distinct.map(({ value }) => value);
	const findings: Finding[] = [];
	const isWeak = secrets.map((value) => bitsOf(value) < LEAST_BITS);
	if (isWeak[0])
		findings.push(
			wrong(
				"The secret that signs and encrypts looks typed, not random: it can be guessed",
				"Create one with `openssl rand -base64 32`, and put it first in AUTH_SECRETS: 2:NEW,1:OLD.",
			),
		);
	else if (isWeak.includes(true))
		findings.push(
			warning(
				"A secret in AUTH_SECRETS that does not sign looks typed, not random: cookies that it signed are accepted",
				"Encrypt its data again with `tenants reencrypt`, then remove it (docs/rotation.md). Until then, set AUTH_SECRETS_VERIFY=first: users who signed in with it must sign in again.",
			),
		);
	if (new Set(secrets).size < secrets.length)
		findings.push(
			wrong("Two versions in AUTH_SECRETS have the same secret", "Create a new one for the newest version."),
		);
	if (management?.keys.some((key) => secrets.includes(key)))
		findings.push(
			wrong(
				"A management key is also an auth secret: its holder can sign in as any user",
				"Create another key with `openssl rand -base64 32`.",
			),
		);
	if (management?.keys.some((key) => bitsOf(key) < LEAST_BITS))
		findings.push(
			wrong(
				"A key in MANAGEMENT_KEYS looks typed, not random: it can be guessed",
				"Create one with `openssl rand -base64 32`.",
			),
		);
	if (findings.length > 0) return findings;
	const [current, ...others] = distinct;
	if (!current || others.length === 0) return [ok(`One secret, version ${current?.version ?? 1}`)];
	const versions = others.map(({ version }) => version).join(", ");
	const use = verifiesWithAll ? "also verified and decrypted with" : "only decrypted with";
	return [ok(`Version ${current.version} signs and encrypts; ${use}: ${versions}`)];
};

/** An upper bound of the entropy: length times the bits of its own alphabet. */
const bitsOf = (secret: string): number => secret.length * Math.log2(Math.max(new Set(secret).size, 1));
