import { defineSection } from "./section.ts";
import { oneOf, text } from "./variables.ts";

export const secretsSection = defineSection(
	{
		AUTH_SECRET: text().optional().meta({
			description:
				"The secret for signing and encryption, at least 32 characters. Create one with `openssl rand -base64 32`. It is version 1",
		}),
		AUTH_SECRETS: text().optional().meta({
			description:
				"Instead of AUTH_SECRET, for rotation: 1:OLD,2:NEW, then 2:NEW,1:OLD, then 2:NEW. The first secret signs and encrypts. All of them verify and decrypt. See docs/rotation.md",
		}),
		AUTH_SECRETS_VERIFY: oneOf(["all", "first"], "all").meta({
			description:
				"`first` if an older secret leaked: the others only decrypt, and users who signed in with them must sign in again",
		}),
	},
	({ AUTH_SECRET, AUTH_SECRETS, AUTH_SECRETS_VERIFY }, mistakes) => {
		const before = mistakes.length;
		const listed = AUTH_SECRETS ? readVersions(AUTH_SECRETS, mistakes) : [];
		if (!AUTH_SECRET && !AUTH_SECRETS)
			mistakes.push(
				"AUTH_SECRET is not set. Create one with `openssl rand -base64 32` and keep it: without it nothing can be decrypted",
			);
		if (AUTH_SECRET !== undefined && AUTH_SECRET.length < 32)
			mistakes.push("AUTH_SECRET is shorter than 32 characters. Create one with `openssl rand -base64 32`");
		if (listed.some(({ value }) => value.length < 32))
			mistakes.push(
				"AUTH_SECRETS contains a secret of fewer than 32 characters. Create one with `openssl rand -base64 32`, and use the form 2:NEW,1:OLD",
			);
		const first = listed.find(({ version }) => version === 1);
		if (AUTH_SECRET !== undefined && first && mistakes.length === before && first.value !== AUTH_SECRET)
			mistakes.push(
				"AUTH_SECRET is version 1, and AUTH_SECRETS has another secret as version 1. Give the new one a higher version: AUTH_SECRETS=1:OLD,2:NEW, where OLD is AUTH_SECRET",
			);
		// a process with AUTH_SECRET alone writes and reads version 1, so the next configuration can run beside it
		const versioned = AUTH_SECRET === undefined || first ? listed : [...listed, { version: 1, value: AUTH_SECRET }];
		return {
			// the engine decrypts values without a version with the plain secret
			secret: AUTH_SECRET ?? oldestOf(versioned) ?? "",
			versioned,
			/** without version 1 if it only repeats another: AUTH_SECRET may be listed as a later version too */
			distinct: listed.some(({ value }) => value === AUTH_SECRET) ? listed : versioned,
			verifiesWithAll: AUTH_SECRETS_VERIFY === "all",
		};
	},
);

export type SecretsConfig = ReturnType<(typeof secretsSection)["read"]>;
export type VersionedSecret = { version: number; value: string };

const oldestOf = (versioned: readonly VersionedSecret[]): string | undefined =>
	versioned.toSorted((one, other) => one.version - other.version)[0]?.value;

const readVersions = (given: string, mistakes: string[]): VersionedSecret[] => {
	const secrets = given.split(",").map((part) => {
		const [version = "", ...value] = part.trim().split(":");
		return { version: /^\d+$/.test(version) ? Number(version) : Number.NaN, value: value.join(":") };
	});
	const versions = secrets.map(({ version }) => version);
	if (versions.some(Number.isNaN) || new Set(versions).size < versions.length)
		mistakes.push(
			"AUTH_SECRETS is not a list of versions. Use the form 2:NEW,1:OLD, each version once. The first one signs",
		);
	return secrets;
};
