import type { Environment } from "../../src/config/secret-files.ts";

export const AUTH_URL = "http://auth.example.test";
export const MANAGEMENT_KEY = "a-management-key-for-tests-of-the-server";

/** The default variables of a test; no mail, no Redis, no limits. */
export const testEnvironment = (databaseURL: string, given: Environment = {}): Environment => ({
	AUTH_URL,
	AUTH_SECRET: "a-secret-for-tests-of-the-server-only",
	DATABASE_URL: databaseURL,
	PORT: "0",
	REQUIRE_EMAIL_VERIFICATION: "false",
	MANAGEMENT_KEYS: MANAGEMENT_KEY,
	RATE_LIMIT: "false",
	DELETION_DRAIN_TIME: "0",
	...given,
});
