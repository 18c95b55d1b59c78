/** What the application under attack is started with. Sent between processes, so plain values only. */
export type AppSettings = {
	databaseURL: string;
	/** sessions and verifications in Redis; in the database where this is absent */
	redis?: { url: string; prefix: string } | undefined;
	/** with Redis: sessions are kept in the database as well */
	sessionsInDatabaseToo?: boolean;
	/** the folder of the plugin's sources: its own, or a copy with one defense taken out */
	source: string;
	/** the global GitLab, for tenants without credentials of their own */
	gitlab?: { issuer: string; clientId: string; clientSecret: string } | undefined;
	/** the engine's scrypt, or one that costs nothing */
	hashing: "scrypt" | "cheap";
	/** sign-up makes no session and answers alike for a new and for a taken address */
	requireEmailVerification?: boolean;
	/** seconds; see the options of the plugin */
	tenantCacheMaxAge?: number;
	deletionGrace?: number;
	deletionBatchSize?: number;
	/** listens here; a free port where it is absent */
	port?: number;
	poolSize?: number;
	/** sealed and signed with the last of these (version 1 is the first); the engine's versioned secrets */
	secrets?: string[];
	/** leaves the tables as they are: a second process, or a restart */
	skipMigrations?: boolean;
};

/** Every mail, text message and one-time password that a request caused, in a header of its answer (base64 of JSON). */
export const OUTBOX_HEADER = "x-isolation-outbox";

export type Message = { kind: string; to: string; secret: string; url?: string };
