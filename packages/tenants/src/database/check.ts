import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { findDriver } from "./driver.ts";
import { type Finding, inspectDatabase } from "./findings.ts";

const RECHECK_AFTER_MS = 1_000;

type CheckWith = {
	context: AuthContext;
	/** the ORM's, where the engine was given an ORM's adapter */
	client: unknown;
	trustIndexes: boolean;
};

/**
 * Keeps tenants closed while the database cannot keep them apart: an old unique index is still there (a sign-up in
 * one tenant would tell that the address exists in another), or our own unique indexes are missing.
 *
 * It closes tenants and not the engine: an application that is being migrated keeps serving the users it had, and the
 * engine's command line can load the configuration to migrate. It looks again until the database is right.
 */
export const createDatabaseCheck = (parts: CheckWith) => {
	const { context } = parts;
	let open = false;
	let running: Promise<string[]> | null = null;
	let lastRun = 0;

	const look = async (): Promise<string[]> => {
		lastRun = Date.now();
		const complaints = await findComplaints(parts);
		open = complaints.length === 0;
		for (const complaint of complaints) context.logger.error(`tenantAuth keeps tenants closed: ${complaint}`);
		return complaints;
	};

	return async (): Promise<void> => {
		if (open) return;
		if (!running || Date.now() - lastRun > RECHECK_AFTER_MS) {
			const started = look();
			running = started;
			// a database that cannot be asked is asked again by the next request
			started.catch(() => {
				if (running === started) running = null;
			});
		}
		if ((await running).length > 0) throw APIError.from("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.TENANTS_CLOSED);
	};
};

const findComplaints = async ({ context, client, trustIndexes }: CheckWith): Promise<string[]> => {
	// nothing in memory is unique; the engine's own memory database is for trying things out
	if (trustIndexes || context.adapter.id === "memory") return [];
	const driver = findDriver(context, client);
	if (!driver) {
		return [
			`the unique indexes of this database cannot be seen from here (adapter "${context.adapter.id}"). Behind Drizzle or Prisma, pass the ORM's client as tenantAuth({ database: { client } }). Otherwise compare the indexes with docs/database.md, then set database.trustIndexes to true.`,
		];
	}
	const findings = await inspectDatabase({ context, driver, client });
	// one that only makes look-ups fast keeps nobody apart
	const serious = findings.filter((finding) => finding.kind !== "missing" || finding.unique);
	return serious.map((finding) => complain(finding, driver.orm !== null));
};

const complain = (finding: Finding, orm: boolean): string => {
	const { table } = finding.names;
	const migrate = orm
		? "Generate your ORM's schema again (npx auth generate) and apply it with its own tool; see docs/database.md."
		: "Run the engine's migration (npx auth migrate); see docs/database.md.";
	const steps = "Run the SQL that tenantMigrationSteps(auth) answers; see docs/database.md.";
	switch (finding.kind) {
		case "untargeted":
			return `${table} has no column ${finding.column}. ${orm ? migrate : steps}`;
		case "unmigrated":
			return `${finding.what}. ${migrate}`;
		case "nullable":
			return `${table}.${finding.column} may be null, and rows without a tenant are unique in no index. Make it NOT NULL; see docs/database.md.`;
		case "unbounded":
			return `${table}.${finding.column} has no bound, so it cannot be in a unique index. ${steps}`;
		case "unfilled":
			return `${table}.${finding.column} is empty where ${finding.from} is not. ${steps}`;
		case "missing":
			return `${table} has no unique index on (${finding.columns.join(", ")}). ${orm ? migrate : steps}`;
		case "leftover":
			return `${table} still has the unique index ${finding.index.name} on (${finding.index.columns.join(", ")}), which spans all tenants. ${orm ? "Take it out of your ORM's schema and apply that with its own tool; see docs/database.md." : steps}`;
	}
};
