/** The variables of a test's server; no mail, no Redis, no limits. */
export const serverEnvironment = (databaseURL: string, given: Record<string, string> = {}): Record<string, string> => ({
	AUTH_URL: "http://auth.example.test",
	AUTH_SECRET: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	DATABASE_URL: databaseURL,
	PORT: "0",
	REQUIRE_EMAIL_VERIFICATION: "false",
	MANAGEMENT_KEYS: "q8Vd2Lx5Tn7Rb1Wy4Kc9Hs6Mf3Jg0Pz-",
	RATE_LIMIT: "false",
	DELETION_DRAIN_TIME: "0",
	...given,
});
