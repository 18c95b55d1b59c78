import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import type { ConsoleServices } from "../console/console-services.ts";
import type { Outbox } from "../mail/outbox.ts";
import type { AuditLog } from "../observe/audit-log.ts";
import type { Logger } from "../observe/logger.ts";
import type { Cache } from "../redis/cache.ts";
import type { SmsSender } from "../sms/sms-sender.ts";
import type { Domains } from "./domains-file.ts";

/** What the engine depends on. `serve` opens and closes all of it. */
export type AuthServices = {
	config: Config;
	pool: Pool;
	/** null without Redis, and in commands */
	cache: Cache | null;
	/** where mails are stored until they are sent; null without SMTP_URL */
	mailer: Outbox | null;
	/** sends codes of the phone-number plugin */
	sms?: SmsSender | null;
	logger: Logger;
	/** TENANT_DOMAINS_FILE. If it is set and not opened, no custom domain belongs to a tenant */
	domains?: Domains | null;
	/** where audit entries go; the log by default */
	audit?: AuditLog;
	/** what the console shows and keeps; absent in commands, and while CONSOLE is off */
	console?: ConsoleServices | null;
	/** counts lookups of a tenant by slug or id */
	tenantCache?: { hit(): void; miss(): void };
};
