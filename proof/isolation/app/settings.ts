/** The settings of the application under attack. They are sent between processes, so they are plain values. */
export type AppSettings = {
	databaseURL: string;
	/** sessions and verifications in Redis; in the database if undefined */
	redis?: { url: string; prefix: string } | undefined;
	/** with Redis: sessions are also stored in the database */
	sessionsInDatabaseToo?: boolean;
	/** the directory of the plugin's sources, or of a copy without one defense */
	source: string;
	/** the global GitLab, for tenants without their own credentials */
	gitlab?: { issuer: string; clientId: string; clientSecret: string } | undefined;
	/** the engine's scrypt, or a cheap hash */
	hashing: "scrypt" | "cheap";
	/** sign-up creates no session and responds the same for a new and a taken address */
	requireEmailVerification?: boolean;
	/** seconds; see the options of the plugin */
	tenantCacheMaxAge?: number;
	deletionDrainTime?: number;
	deletionBatchSize?: number;
	/** the port; a free one if undefined */
	port?: number;
	poolSize?: number;
	/** encrypts and signs with the last of these (version 1 is the first) */
	secrets?: string[];
	/** keeps the tables: a second process, or a restart */
	skipMigrations?: boolean;
};

/** All mails, text messages and one-time passwords of a request, in a response header (base64 of JSON). */
export const OUTBOX_HEADER = "x-isolation-outbox";

export type Message = { kind: string; to: string; secret: string; url?: string };
