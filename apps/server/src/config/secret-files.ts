import { readFileSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that can be read from a file named by NAME_FILE, as orchestrators mount secrets. */
export const SECRETS = [
	"AUTH_SECRET",
	"AUTH_SECRETS",
	"DATABASE_URL",
	"REDIS_URL",
	"REDIS_PASSWORD",
	"REDIS_SENTINEL_PASSWORD",
	"SMTP_URL",
	"SMS_WEBHOOK_URL",
	"SMS_WEBHOOK_SECRET",
	"SCIM_SECRET",
	"MANAGEMENT_KEYS",
	"MANAGEMENT_KEY",
] as const;

const mayStandInFile = (name: string): boolean =>
	(SECRETS as readonly string[]).includes(name) || /^SOCIAL_[A-Z]+_CLIENT_SECRET$/.test(name);

/**
 * Replaces NAME_FILE variables with the contents of their files. An unreadable file is a mistake, never an empty
 * secret.
 */
export const readSecretFiles = (environment: Environment, mistakes: string[]): Record<string, string> => {
	const values: Record<string, string> = {};
	for (const [name, value] of Object.entries(environment)) {
		// orchestrators pass unset variables as empty
		if (value === undefined || value.trim() === "") continue;
		const secret = name.endsWith("_FILE") ? name.slice(0, -"_FILE".length) : "";
		if (!mayStandInFile(secret)) {
			values[name] = value;
			continue;
		}
		if (environment[secret]?.trim()) {
			mistakes.push(`${secret} and ${name} are both set. Keep one of them`);
			continue;
		}
		const contents = readText(value);
		if (contents) values[secret] = contents;
		else mistakes.push(`${name} names a file that is empty or cannot be read. Check the path and its permissions`);
	}
	return values;
};

const readText = (path: string): string | null => {
	try {
		return readFileSync(path, "utf8").trim();
	} catch {
		return null;
	}
};
