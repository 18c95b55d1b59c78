import { readConfig } from "../../src/config/config.ts";
import { ConfigurationError } from "../../src/config/mistakes.ts";

/** The minimal environment of the server. */
export const LEAST = {
	AUTH_URL: "https://auth.example.com",
	AUTH_SECRET: "a-secret-of-32-characters-or-more",
	DATABASE_URL: "postgres://me:hunter2@db.example:5432/auth",
	REQUIRE_EMAIL_VERIFICATION: "false",
};

/** The mistakes in an environment; empty if it is valid. */
export const mistakesOf = (environment: Record<string, string | undefined>): readonly string[] => {
	try {
		readConfig(environment);
		return [];
	} catch (error) {
		if (error instanceof ConfigurationError) return error.mistakes;
		throw error;
	}
};

export const read = (more: Record<string, string> = {}) => readConfig({ ...LEAST, ...more });
export const mistakesWith = (more: Record<string, string | undefined>) => mistakesOf({ ...LEAST, ...more });
