import { defineSection } from "./section.ts";
import { text } from "./variables.ts";

export const secretsSection = defineSection(
	{
		AUTH_SECRET: text().optional().meta({
			description: "Signs and encrypts; at least 32 characters. Make one with `openssl rand -base64 32`",
		}),
		AUTH_SECRETS: text().optional().meta({
			description:
				"In place of AUTH_SECRET where it changes over time: 2:NEW,1:OLD. The first one signs and encrypts; the others open what was encrypted with them. Who is signed in by an older one signs in again",
		}),
	},
	({ AUTH_SECRET, AUTH_SECRETS }, mistakes) => {
		const versioned = AUTH_SECRETS ? readVersions(AUTH_SECRETS, mistakes) : [];
		if (!AUTH_SECRET && !AUTH_SECRETS)
			mistakes.push(
				"AUTH_SECRET is not set. Make one with `openssl rand -base64 32` and keep it: without it nothing opens",
			);
		if (AUTH_SECRET !== undefined && AUTH_SECRET.length < 32)
			mistakes.push("AUTH_SECRET is shorter than 32 characters. Make one with `openssl rand -base64 32`");
		if (versioned.some(({ value }) => value.length < 32))
			mistakes.push(
				"AUTH_SECRETS holds a secret of less than 32 characters. Make one with `openssl rand -base64 32`, and write 2:NEW,1:OLD",
			);
		// the engine opens what has no version with the plain secret
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
		mistakes.push("AUTH_SECRETS is not a list of versions. Write 2:NEW,1:OLD, the newest first, each version once");
	return secrets;
};
