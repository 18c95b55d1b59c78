import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Logger } from "../observe/logger.ts";
import type { Storage } from "../redis/storage.ts";

/** What the engine works with. `serve` opens and closes all of it. */
export type AuthServices = {
	config: Config;
	pool: Pool;
	storage: Storage | null;
	mailer: Mailer | null;
	logger: Logger;
	/** told of each look-up of a tenant by slug or for its name */
	tenantCache?: { hit(): void; miss(): void };
};
