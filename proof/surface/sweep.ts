import { isDeepStrictEqual } from "node:util";
import type { Browser } from "test-kit/browser";
import type { Answer } from "test-kit/world";
import type { Method, SurfaceWorld } from "./engine.ts";
import type { Input } from "./row.ts";
import { MARK } from "./side.ts";
import { touchedTables } from "./statements.ts";
import { type Cell, createStoredState, type Dump, type TableRow } from "./stored-state.ts";

/** Columns that reference a row without a reference in the schema. */
const UNDECLARED: [table: string, column: string, target: string][] = [
	["session", "activeOrganizationId", "organization"],
	["session", "activeTeamId", "team"],
	["session", "impersonatedBy", "user"],
	["invitation", "teamId", "team"],
	["deviceCode", "userId", "user"],
	["apikey", "referenceId", "user"],
	["subscription", "referenceId", "user"],
	["ssoProvider", "organizationId", "organization"],
];

export type Request = {
	method: Method;
	input: Input;
	browser?: Browser | undefined;
	/** the x-tenant-id header */
	hint?: string | undefined;
	headers?: Record<string, string> | undefined;
};

export type Outcome = Answer & {
	before: Dump;
	after: Dump;
	/** everything that the caller and recipients of its mails received */
	told: string;
	/** everything that the caller sent */
	said: string;
	/** tables */
	reads: string[];
	writes: string[];
};

/** One filled engine that is restored after every call. */
export const createSweep = async (world: SurfaceWorld) => {
	const state = await createStoredState(world);
	const { tables, base } = state;

	const send = async (path: string, { method, input, browser, hint, headers }: Request): Promise<Outcome> => {
		const address = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? name));
		const mailed = world.outbox.length;
		world.database.statements.length = 0;
		const answer = await world.call(address, {
			method,
			...(method === "GET" || method === "DELETE" ? {} : bodyOf(input)),
			headers: { ...(input.form ? FORM : {}), ...headers },
			...(input.query ? { query: input.query } : {}),
			browser: browser?.copy(),
			tenant: hint,
		});
		const touched = touchedTables(world.database.statements);
		const after = await state.read({ wrote: touched.writes.length > 0 });
		if (Object.keys(base).some((name) => after[name] !== base[name])) await state.restore(after);
		const answered = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
		const told = [answer.text, answered, ...world.outbox.slice(mailed).map((mail) => JSON.stringify(mail))].join("\n");
		const said = JSON.stringify([input, headers, hint]);
		return { ...answer, before: base, after, told: readable(told), said, ...touched };
	};

	/** Finds wrong references and tenants in the rows after a call. */
	const brokenRows = (after: Dump): string[] => {
		const broken: string[] = [];
		if (Object.keys(base).every((name) => after[name] === base[name])) return broken;
		const open = new Set<Cell | undefined>(["platform", ...(after.tenant ?? []).map(({ id }) => id as Cell)]);
		const points = (name: string, column: string, target: string, field: string): void => {
			for (const row of after[name] ?? []) {
				if (row[column] == null) continue;
				const found = (after[target] ?? []).find((candidate) => candidate[field] === row[column]);
				if (found && found.tenantId !== row.tenantId) broken.push(`${name}.${column} points into another tenant`);
			}
		};
		for (const { modelName, fields } of Object.values(tables)) {
			if (modelName === "tenant" || modelName === "rateLimit") continue;
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
			if (owners.get(session.userId ?? null) !== session.tenantId) broken.push("a session is not in its user's tenant");
		}
		return broken;
	};

	return { send, brokenRows, base, now: () => state.read({ wrote: true }) };
};

type Owners = (tenantId: Cell | undefined) => boolean;
/** One tenant's rows, or the platform's. */
export const of =
	(tenantId: string): Owners =>
	(owner) =>
		owner === tenantId;
/** The rows of other tenants and of the platform. */
export const outside =
	(tenantId: string): Owners =>
	(owner) =>
		owner !== tenantId;

const ownedBy = (name: string, rows: TableRow[], owners: Owners): TableRow[] =>
	rows.filter((row) => owners(name === "tenant" ? row.id : row.tenantId));

export const rowsOf = (rows: Dump, owners: Owners): Dump =>
	Object.fromEntries(Object.entries(rows).map(([name, found]) => [name, ownedBy(name, found, owners)]));

/** The tables in which two states differ, for rows of these owners. */
export const changedTables = (before: Dump, after: Dump, owners: Owners = () => true): string[] =>
	Object.keys(before).filter((name) => {
		const [old = [], now = []] = [before[name], after[name]];
		return old !== now && !isDeepStrictEqual(sorted(ownedBy(name, old, owners)), sorted(ownedBy(name, now, owners)));
	});

const sorted = (rows: TableRow[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

/** All texts that appear only in these rows. */
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

/** The secrets that a caller received without having sent them. */
export const leaksIn = ({ told, said }: Outcome, secrets: string[]): string[] => {
	const unsaid = secrets.filter((secret) => !said.includes(JSON.stringify(secret).slice(1, -1)));
	const leaks = unsaid.filter((secret) => told.includes(secret));
	let rest = told;
	for (const [marked] of said.matchAll(new RegExp(`${MARK}[\\w@.-]*`, "g"))) rest = rest.replaceAll(marked, "");
	if (leaks.length === 0 && rest.includes(MARK)) leaks.push(rest.slice(rest.indexOf(MARK)).slice(0, 80));
	return leaks;
};

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const bodyOf = ({ body, form }: Input): { body: unknown } => ({
	body: form ? new URLSearchParams(form).toString() : (body ?? {}),
});

/** The text with its encoded parts: percent encoding, JSON in JSON, and the payloads of JWTs. */
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
