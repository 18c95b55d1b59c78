import type { AuthContext } from "@better-auth/core";
import { isGlobalTable } from "../../scope/data/tables.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { type Change, ownerOf, type Row, type Snapshot } from "./database.ts";
import type { Answer } from "./send.ts";
import type { TenantIsolationSide } from "./side.ts";

/** Finds rows of other tenants that were created, changed or deleted. */
export const foreignChanges = (changes: Change[], side: TenantIsolationSide): string[] =>
	changes.flatMap(({ table, before, after }) => {
		const row = before ?? after ?? {};
		const owners = [before, after].flatMap((one) => (one ? [ownerOf(table, one)] : []));
		if (owners.every((owner) => owner === side.tenantId)) return [];
		// a table without a tenant column is reported separately
		if (table !== "tenant" && !("tenantId" in row)) return [];
		// a new tenant belongs to nobody yet
		if (table === "tenant" && !before) return [];
		// the engine deletes expired rows at lookups
		if (!after && before?.expiresAt instanceof Date && before.expiresAt < new Date()) return [];
		if (!before) return [`creates a row in ${table} that belongs to ${nameOwner(owners[0])}`];
		if (!after) return [`deletes a row in ${table} that belongs to ${nameOwner(owners[0])}`];
		const columns = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
		return [`changes ${columns.map((column) => `${table}.${column}`).join(", ")} of ${nameOwner(owners[0])}`];
	});

const nameOwner = (owner: unknown): string => (owner === PLATFORM ? "the platform" : `tenant ${owner}`);

/** Finds rows of the caller that reference rows of another tenant. */
export const foreignReferences = (changes: Change[], state: Snapshot, { tables }: AuthContext): string[] =>
	changes.flatMap(({ table, before, after }) => {
		if (!after) return [];
		return Object.entries(after).flatMap(([column, cell]) => {
			if (cell == null || cell === before?.[column] || column === "tenantId") return [];
			const target = targetOf(tables, table, column);
			const found =
				target && [...(state.get(target.table)?.values() ?? [])].find(({ row }) => row[target.field] === cell);
			return found && found.row.tenantId !== after.tenantId
				? [`sets ${table}.${column} to a row in ${target.table} that belongs to ${nameOwner(found.row.tenantId)}`]
				: [];
		});
	});

/** Finds values with another side's canary that the caller did not send, and that are now in a row of the caller. */
export const foreignCopies = (
	changes: Change[],
	side: TenantIsolationSide,
	canaries: string[],
	said: string,
): string[] =>
	changes.flatMap(({ table, before, after }) => {
		if (!after || ownerOf(table, after) !== side.tenantId) return [];
		return Object.entries(after).flatMap(([column, cell]) => {
			if (typeof cell !== "string" || cell === before?.[column]) return [];
			const isCopied = canaries.some((canary) => cell.includes(canary) && !said.includes(canary));
			return isCopied ? [`copies a value of another tenant to ${table}.${column}`] : [];
		});
	});

/** The table that a column references, by its declaration or by its name (activeOrganizationId). */
const targetOf = (tables: AuthContext["tables"], table: string, column: string) => {
	const { references } = tables[table]?.fields[column] ?? {};
	const keys = Object.keys(tables).filter((key) => !isGlobalTable(key));
	const declared =
		references && keys.find((key) => key === references.model || tables[key]?.modelName === references.model);
	if (references && declared) return { table: declared, field: references.field };
	const subject = /^(.+)Id$/.exec(column)?.[1]?.toLowerCase();
	const named = subject && keys.find((key) => subject.endsWith(key.toLowerCase()));
	return named ? { table: named, field: "id" } : undefined;
};

type Secret = { value: string; label: string };
export type Secrets = Secret[];

/** Values that only their owner may receive: random ids and tokens, and all values with another side's canary. */
export const secretsFrom = (state: Snapshot, side: TenantIsolationSide, sides: TenantIsolationSide[]): Secrets => {
	const own: Row[] = [];
	const foreign: [string, Row][] = [];
	for (const [table, rows] of state) {
		for (const { row } of rows.values()) {
			if (ownerOf(table, row) === side.tenantId) own.push(row);
			else if (table === "tenant" || "tenantId" in row) foreign.push([table, row]);
		}
	}
	const common = JSON.stringify(own);
	const labels = new Map(sides.map(({ tenantId, label }) => [tenantId, label]));
	const canaries = sides.filter((other) => other !== side).map(({ canary }) => canary);
	const secrets = new Map<string, string>();
	for (const [table, row] of foreign) {
		const owner = labels.get(String(ownerOf(table, row))) ?? "another tenant";
		for (const [column, cell] of Object.entries(row)) {
			if (typeof cell !== "string" || common.includes(JSON.stringify(cell).slice(1, -1))) continue;
			const marked = canaries.some((canary) => cell.includes(canary));
			if (marked || isRandom(cell)) secrets.set(cell, `${owner}'s ${table}.${column}`);
		}
	}
	for (const other of sides) {
		if (other === side) continue;
		for (const { token } of other.users) if (token) secrets.set(token, `a session token of ${other.label}`);
		// a code of a few digits may occur anywhere
		for (const { purpose, value } of other.tokens)
			if (isRandom(value)) secrets.set(value, `a token of ${other.label} (${purpose})`);
	}
	return [...secrets].map(([value, label]) => ({ value, label }));
};

const isRandom = (cell: string): boolean =>
	cell.length >= 12 && !/\s/.test(cell) && /\d/.test(cell) && /[a-z]/i.test(cell) && !/^\d{4}-\d\d-\d\dT/.test(cell);

/** The secrets that a response reveals and that were not in the caller's own request. */
export const toldSecrets = ({ told, said }: Answer, secrets: Secrets, canaries: string[]): string[] => {
	const rows = secrets.filter(
		({ value }) => told.includes(value) && !said().includes(JSON.stringify(value).slice(1, -1)),
	);
	if (rows.length > 0) return rows.map(({ label }) => `reveals ${label}`);
	// a value from the request may be returned, but not a longer value that starts with it
	return canaries.flatMap((canary) => {
		if (!told.includes(canary)) return [];
		const marked = (text: string): string[] => {
			const words: string[] = [];
			for (let at = text.indexOf(canary); at >= 0; at = text.indexOf(canary, at + (words.at(-1)?.length ?? 1)))
				words.push(/^[\w@.]+/.exec(text.slice(at))?.[0] ?? canary);
			return words;
		};
		const known = new Set(marked(said()));
		return marked(told).some((word) => !known.has(word)) ? ["reveals a value that only its owner knows"] : [];
	});
};
