import type { AuthContext } from "@better-auth/core";
import { PLATFORM } from "../scope/platform.ts";
import { isGlobalTable } from "../scope/tables.ts";
import { type Change, ownerOf, type Row, type Snapshot } from "./database.ts";
import type { Answer } from "./send.ts";
import type { TenantIsolationSide } from "./side.ts";

/** Rows outside of the caller's side that were made, changed or deleted. */
export const foreignChanges = (changes: Change[], side: TenantIsolationSide): string[] =>
	changes.flatMap(({ table, before, after }) => {
		const row = before ?? after ?? {};
		const owners = [before, after].flatMap((one) => (one ? [ownerOf(table, one)] : []));
		if (owners.every((owner) => owner === side.tenantId)) return [];
		// the schema's own complaint: whose the row is cannot be told
		if (table !== "tenant" && !("tenantId" in row)) return [];
		// a new tenant is nobody's yet
		if (table === "tenant" && !before) return [];
		// the engine forgets what has expired whenever it looks
		if (!after && before?.expiresAt instanceof Date && before.expiresAt < new Date()) return [];
		if (!before) return [`makes a row in ${table} that belongs to ${nameOwner(owners[0])}`];
		if (!after) return [`deletes a row in ${table} that belongs to ${nameOwner(owners[0])}`];
		const columns = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
		return [`changes ${columns.map((column) => `${table}.${column}`).join(", ")} of ${nameOwner(owners[0])}`];
	});

const nameOwner = (owner: unknown): string => (owner === PLATFORM ? "the platform" : `tenant ${owner}`);

/** The caller's rows that point at somebody else's. */
export const foreignReferences = (changes: Change[], state: Snapshot, { tables }: AuthContext): string[] =>
	changes.flatMap(({ table, before, after }) => {
		if (!after) return [];
		return Object.entries(after).flatMap(([column, cell]) => {
			if (cell == null || cell === before?.[column] || column === "tenantId") return [];
			const target = targetOf(tables, table, column);
			const found =
				target && [...(state.get(target.table)?.values() ?? [])].find(({ row }) => row[target.field] === cell);
			return found && found.row.tenantId !== after.tenantId
				? [
						`makes ${table}.${column} point at a row in ${target.table} that belongs to ${nameOwner(found.row.tenantId)}`,
					]
				: [];
		});
	});

/** What a column points at: by its declaration, or by its name (activeOrganizationId). */
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

/** What nobody but its owner may be told: random ids and tokens, and whatever carries another side's canary. */
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
	}
	return [...secrets].map(([value, label]) => ({ value, label }));
};

const isRandom = (cell: string): boolean =>
	cell.length >= 12 && !/\s/.test(cell) && /\d/.test(cell) && /[a-z]/i.test(cell) && !/^\d{4}-\d\d-\d\dT/.test(cell);

/** What of these secrets an answer tells that its caller had not said himself. */
export const toldSecrets = ({ told, said }: Answer, secrets: Secrets, canaries: string[]): string[] => {
	const rows = secrets.filter(
		({ value }) => told.includes(value) && !said.includes(JSON.stringify(value).slice(1, -1)),
	);
	if (rows.length > 0) return rows.map(({ label }) => `tells ${label}`);
	// what he said may come back to him; what begins like it and goes on differently may not
	return canaries.flatMap((canary) => {
		const marked = (text: string): string[] => {
			const words: string[] = [];
			for (let at = text.indexOf(canary); at >= 0; at = text.indexOf(canary, at + (words.at(-1)?.length ?? 1)))
				words.push(/^[\w@.]+/.exec(text.slice(at))?.[0] ?? canary);
			return words;
		};
		const known = new Set(marked(said));
		return marked(told).some((word) => !known.has(word)) ? ["tells something that only its owner was ever told"] : [];
	});
};
