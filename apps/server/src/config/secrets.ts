import { defineSection } from "./section.ts";
import { text } from "./variables.ts";

export const secretsSection = defineSection(
	{
		AUTH_SECRET: text().optional().meta({
			description:
				"The secret for signing and encryption, at least 32 characters. Create one with `openssl rand -base64 32`",
		}),
		AUTH_SECRETS: text().optional().meta({
			description:
				"Instead of AUTH_SECRET, for rotation: 2:NEW,1:OLD. The first secret signs and encrypts. The others only decrypt. Users who signed in with an older secret must sign in again",
		}),
	},
	({ AUTH_SECRET, AUTH_SECRETS }, mistakes) => {
		const versioned = AUTH_SECRETS ? readVersions(AUTH_SECRETS, mistakes) : [];
		if (!AUTH_SECRET && !AUTH_SECRETS)
			mistakes.push(
				"AUTH_SECRET is not set. Create one with `openssl rand -base64 32` and keep it: without it nothing can be decrypted",
			);
		if (AUTH_SECRET !== undefined && AUTH_SECRET.length < 32)
			mistakes.push("AUTH_SECRET is shorter than 32 characters. Create one with `openssl rand -base64 32`");
		if (versioned.some(({ value }) => value.length < 32))
			mistakes.push(
				"AUTH_SECRETS contains a secret of fewer than 32 characters. Create one with `openssl rand -base64 32`, and use the form 2:NEW,1:OLD",
			);
		// the engine decrypts values without a version with the plain secret
		return { secret: AUTH_SECRET ?? versioned.at(-1)?.value ?? "", versioned };
	},
);

export type SecretsConfig = ReturnType<(typeof secretsSection)["read"]>;
type VersionedSecret = { version: number; value: string };

const readVersions = (given: string, mistakes: string[]): VersionedSecret[] => {
	const secrets = given.split(",").map((part) => {
		const [version = "", ...value] = part.trim().split(":");
		return { version: /^\d+$/.test(version) ? Number(version) : Number.NaN, value: value.join(":") };
	});
	const versions = secrets.map(({ version }) => version);
	if (versions.some(Number.isNaN) || new Set(versions).size < versions.length)
		mistakes.push("AUTH_SECRETS is not a list of versions. Use the form 2:NEW,1:OLD, newest first, each version once");
	return secrets;
};
