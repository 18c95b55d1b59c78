import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { findDriver } from "./driver.ts";
import { type Finding, inspectDatabase } from "./findings.ts";

const RECHECK_AFTER_MS = 1_000;

type CheckWith = {
	context: AuthContext;
	/** the ORM's client, if Better Auth uses an ORM adapter */
	client: unknown;
	trustIndexes: boolean;
};

/**
 * Keeps tenants closed while the database cannot isolate them: an old unique index still exists (a sign-up in one
 * tenant would reveal that the address exists in another), or this plugin's unique indexes are missing.
 *
 * It closes only tenants. During a migration, an application still serves its existing users, and the engine's command
 * line can load the configuration. The check runs again until the database is ready.
 */
export const createDatabaseCheck = (parts: CheckWith) => {
	const { context } = parts;
	let open = false;
	let running: Promise<string[]> | null = null;
	let lastRun = 0;

	const inspect = async (): Promise<string[]> => {
		lastRun = Date.now();
		const complaints = await findComplaints(parts);
		open = complaints.length === 0;
		for (const complaint of complaints) context.logger.error(`tenantAuth keeps tenants closed: ${complaint}`);
		return complaints;
	};

	return async (): Promise<void> => {
		if (open) return;
		if (!running || Date.now() - lastRun > RECHECK_AFTER_MS) {
			const started = inspect();
			running = started;
			// if the database cannot be reached, the next request tries again
			started.catch(() => {
				if (running === started) running = null;
			});
		}
		if ((await running).length > 0)
			throw APIError.from("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.DATABASE_NOT_ISOLATED);
	};
};

const findComplaints = async ({ context, client, trustIndexes }: CheckWith): Promise<string[]> => {
	// the engine's memory database is for testing and has no unique indexes
	if (trustIndexes || context.adapter.id === "memory") return [];
	const driver = findDriver(context, client);
	if (!driver) {
		return [
			`the unique indexes of this database cannot be read (adapter "${context.adapter.id}"). With Drizzle or Prisma, pass the ORM's client to tenantAuth({ database: { client } }). Otherwise compare them with docs/database.md, then set database.trustIndexes to true.`,
		];
	}
	const findings = await inspectDatabase({ context, driver, client });
	// a missing index that is not unique affects only speed
	const serious = findings.filter((finding) => finding.kind !== "missing" || finding.unique);
	return serious.map((finding) => complain(finding, driver.orm !== null));
};

const complain = (finding: Finding, orm: boolean): string => {
	const { table } = finding.names;
	const migrate = orm
		? "Generate your ORM's schema again (npx auth generate) and apply it with its own tool; see docs/database.md."
		: "Run Better Auth's migration (npx auth migrate); see docs/database.md.";
	const steps = "Run the SQL that tenantMigrationSteps(auth) returns; see docs/database.md.";
	switch (finding.kind) {
		case "untargeted":
			return `${table} has no column ${finding.column}. ${orm ? migrate : steps}`;
		case "unmigrated":
			return `${finding.what}. ${migrate}`;
		case "nullable":
			return `${table}.${finding.column} can be null, and unique indexes do not apply to rows without a tenant. Make it NOT NULL; see docs/database.md.`;
		case "unbounded":
			return `${table}.${finding.column} has no maximum length, so it cannot be in a unique index. ${steps}`;
		case "unfilled":
			return `${table}.${finding.column} is empty in rows that have ${finding.from}. ${steps}`;
		case "missing":
			return `${table} has no unique index on (${finding.columns.join(", ")}). ${orm ? migrate : steps}`;
		case "leftover":
			return `${table} still has the unique index ${finding.index.name} on (${finding.index.columns.join(", ")}), which spans all tenants. ${orm ? "Remove it from your ORM's schema and apply the change with its own tool; see docs/database.md." : steps}`;
	}
};
