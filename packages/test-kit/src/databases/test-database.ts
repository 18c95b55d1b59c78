import { randomBytes } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";

export type DatabaseKind = "postgres" | "mysql" | "sqlite";
export type Row = Record<string, unknown>;

/** A database of a test's own, and a view of every statement that was sent to it. */
export type TestDatabase = {
	kind: DatabaseKind;
	/** what betterAuth takes as `database` */
	connection: NonNullable<BetterAuthOptions["database"]>;
	/** statements since the last `clear` */
	statements: string[];
	/** Runs SQL beside the engine; identifiers are quoted with ". */
	query: (sql: string) => Promise<Row[]>;
	close: () => Promise<void>;
};

export const newName = (): string => `tenants_test_${randomBytes(6).toString("hex")}`;

/** The same server, another database. */
export const at = (url: string, database: string): string => {
	const changed = new URL(url);
	changed.pathname = `/${database}`;
	return changed.toString();
};
