import { randomBytes } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";

export type DatabaseKind = "postgres" | "mysql" | "sqlite";
export type Row = Record<string, unknown>;

/** A test's own database, with a log of every statement. */
export type TestDatabase = {
	kind: DatabaseKind;
	/** `database` option of betterAuth */
	connection: NonNullable<BetterAuthOptions["database"]>;
	/** statements since the last `clear` */
	statements: string[];
	/** Runs SQL outside the engine; identifiers are quoted with ". */
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
