import { isDeepStrictEqual } from "node:util";
import type { Browser } from "../support/browser.ts";
import type { Answer } from "../support/world.ts";
import type { SurfaceWorld } from "./engine.ts";
import { MARK } from "./side.ts";
import type { Input } from "./surface.ts";

type Cell = string | number | null;
type TableRow = Record<string, Cell>;
export type Dump = Record<string, TableRow[]>;

/** Columns that name a row without saying so in the schema. */
const UNDECLARED: [table: string, column: string, target: string][] = [
	["session", "activeOrganizationId", "organization"],
	["session", "activeTeamId", "team"],
	["session", "impersonatedBy", "user"],
	["invitation", "teamId", "team"],
	["deviceCode", "userId", "user"],
];

export type Request = {
	method: "GET" | "POST";
	input: Input;
	browser?: Browser | undefined;
	/** the x-tenant-id header */
	hint?: string | undefined;
};

export type Outcome = Answer & {
	before: Dump;
	after: Dump;
	/** everything the caller, and whoever got mail because of him, was told */
	told: string;
	/** everything the caller said himself */
	said: string;
};

/** One furnished engine that is put back as it was after every call. */
export const createSweep = async (world: SurfaceWorld) => {
	const { tables } = await world.auth.$context;
	const names = Object.values(tables).map((table) => table.modelName);
	const dump = async (): Promise<Dump> => {
		const found: Dump = {};
		for (const name of names) found[name] = (await world.database.query(`select * from "${name}"`)) as TableRow[];
		return found;
	};
	const base = await dump();
	const restore = async (): Promise<void> => {
		await world.database.query("pragma foreign_keys = off");
		await world.database.query("begin");
		for (const name of names) {
			await world.database.query(`delete from "${name}"`);
			for (const row of base[name] ?? []) {
				const columns = Object.keys(row).map((column) => `"${column}"`);
				await world.database.query(
					`insert into "${name}" (${columns.join(", ")}) values (${Object.values(row).map(literal).join(", ")})`,
				);
			}
		}
		await world.database.query("commit");
	};

	const send = async (path: string, { method, input, browser, hint }: Request): Promise<Outcome> => {
		const address = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? name));
		const mailed = world.outbox.length;
		const answer = await world.call(address, {
			method,
			...(method === "POST" ? { body: input.body ?? {} } : {}),
			...(input.query ? { query: input.query } : {}),
			browser: browser?.copy(),
			tenant: hint,
		});
		const after = await dump();
		if (!isDeepStrictEqual(after, base)) await restore();
		const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
		const told = [answer.text, headers, ...world.outbox.slice(mailed).map((mail) => JSON.stringify(mail))].join("\n");
		return { ...answer, before: base, after, told: readable(told), said: JSON.stringify(input) + hint };
	};

	/** What is wrong with the references and tenants of the rows that a call left. */
	const brokenRows = (after: Dump): string[] => {
		const broken: string[] = [];
		const open = new Set<Cell | undefined>(["platform", ...(after.tenant ?? []).map(({ id }) => id as Cell)]);
		const points = (name: string, column: string, target: string, field: string): void => {
			for (const row of after[name] ?? []) {
				if (row[column] == null) continue;
				const found = (after[target] ?? []).find((candidate) => candidate[field] === row[column]);
				if (found && found.tenantId !== row.tenantId) broken.push(`${name}.${column} points into another tenant`);
			}
		};
		for (const { modelName, fields } of Object.values(tables)) {
			if (modelName === "tenant") continue;
			for (const row of after[modelName] ?? []) {
				if (!open.has(row.tenantId)) broken.push(`${modelName} has a row of the tenant ${row.tenantId}`);
			}
			for (const [column, { references }] of Object.entries(fields)) {
				if (references && column !== "tenantId") points(modelName, column, references.model, references.field);
			}
		}
		for (const [table, column, target] of UNDECLARED) points(table, column, target, "id");
		const owners = new Map((after.user ?? []).map(({ id, tenantId }) => [id, tenantId]));
		for (const session of after.session ?? []) {
			if (owners.get(session.userId ?? null) !== session.tenantId) broken.push("a session is not of its user's tenant");
		}
		return broken;
	};

	return { send, brokenRows, base };
};

const rowsWhere = (rows: Dump, keep: (owner: Cell | undefined) => boolean): Dump =>
	Object.fromEntries(
		Object.entries(rows).map(([name, found]) => [
			name,
			found.filter((row) => keep(name === "tenant" ? row.id : row.tenantId)),
		]),
	);

export const rowsOf = (rows: Dump, tenantId: string): Dump => rowsWhere(rows, (owner) => owner === tenantId);
/** The neighbours' rows and the platform's. */
export const rowsOutside = (rows: Dump, tenantId: string): Dump => rowsWhere(rows, (owner) => owner !== tenantId);

/** Names the tables in which two states differ. */
export const changedTables = (before: Dump, after: Dump): string[] =>
	Object.keys(before).filter((name) => !isDeepStrictEqual(sorted(before[name]), sorted(after[name])));

const sorted = (rows: TableRow[] = []): string[] => rows.map((row) => JSON.stringify(row)).sort();

/** Every text in these rows that says something about them: what stands in the other rows too does not. */
export const secretsOf = (rows: Dump, known: Dump): string[] => {
	const common = JSON.stringify(known);
	const secrets = new Set<string>();
	for (const row of Object.values(rows).flat()) {
		for (const [column, cell] of Object.entries(row)) {
			if (column === "tenantId" && cell === "platform") continue;
			if (
				typeof cell === "string" &&
				cell.length >= 8 &&
				!isDate(cell) &&
				!common.includes(JSON.stringify(cell).slice(1, -1))
			)
				secrets.add(cell);
		}
	}
	return [...secrets];
};

/** What a caller was told of these secrets without having said it himself. */
export const leaksIn = ({ told, said }: Outcome, secrets: string[]): string[] => {
	const unsaid = secrets.filter((secret) => !said.includes(JSON.stringify(secret).slice(1, -1)));
	const leaks = unsaid.filter((secret) => told.includes(secret));
	let rest = told;
	for (const [marked] of said.matchAll(new RegExp(`${MARK}[\\w@.-]*`, "g"))) rest = rest.replaceAll(marked, "");
	if (leaks.length === 0 && rest.includes(MARK)) leaks.push(rest.slice(rest.indexOf(MARK)).slice(0, 80));
	return leaks;
};

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

const literal = (cell: Cell): string =>
	cell === null ? "null" : typeof cell === "number" ? String(cell) : `'${cell.replaceAll("'", "''")}'`;

/** The text with what is encoded in it: percent signs, JSON in JSON, and the payloads of JWTs. */
const readable = (text: string): string => {
	const payloads = [...text.matchAll(/eyJ[\w-]+/g)].map(([part]) => Buffer.from(part, "base64url").toString());
	const plain = text.replaceAll(/(%[0-9a-f]{2})+/gi, (part) => {
		try {
			return decodeURIComponent(part);
		} catch {
			return part;
		}
	});
	return [text, plain, plain.replaceAll("\\", ""), ...payloads].join("\n");
};
