import type { AuthContext } from "@better-auth/core";
import { generateRandomString } from "better-auth/crypto";
import { isGlobalTable } from "../../scope/data/tables.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { changesBetween, type Database, type Row, rowsOf, type Snapshot } from "./database.ts";
import type { Endpoint } from "./endpoints.ts";
import type { Served } from "./furnish.ts";
import { foreignInputs } from "./inputs.ts";
import type { TenantIsolationOptions } from "./options.ts";
import type { Progress } from "./progress.ts";
import type { Run } from "./run.ts";
import { type Answer, type Call, isUndecided } from "./send.ts";
import { callerOf, type TenantIsolationSide, type TenantIsolationUser } from "./side.ts";

type WatchWith = {
	context: AuthContext;
	database: Database;
	run: Run;
	progress: Progress;
	attacker: TenantIsolationSide;
	victim: TenantIsolationSide;
	endpoints: Endpoint[];
	served: Served;
	inputs: TenantIsolationOptions["inputs"];
};

/**
 * Sends every request twice: once while the victim has certain rows, and once without them. The responses to A must not
 * differ. This finds leaks without a canary: a count over all tenants, "this name is taken", another status.
 */
export const findInterference = async (parts: WatchWith): Promise<void> => {
	const { database, run, progress, attacker, victim, served } = parts;
	const absent = run.base();
	await addRows(parts);
	const present = await database.read();
	const rows = newRows(absent, present, victim.tenantId);
	const newcomer: TenantIsolationSide = {
		...victim,
		rows,
		users: (rows.user ?? []).map((user) => newUser(user, rows)),
	};
	const calls = callsAbout(parts, newcomer);

	const goTo = async (state: Snapshot): Promise<void> => {
		await database.restore(state, changesBetween(state, await database.read()));
		run.rebase(state);
	};
	const ask = async (call: Call): Promise<Parts> => {
		const answer = await run.ask(call, attacker, callerName(call));
		// an error response changes nothing, or the change is undone when the state is switched
		if (answer.status < 400) await run.undo(await run.look());
		const own = served.get(attacker)?.get(call.endpoint);
		if (own && isUndecided(answer)) {
			const ownCall = { endpoint: call.endpoint, input: own.input, headers: own.user.headers, hint: attacker };
			const how = callerName(call);
			if (!(await run.isJudged(answer, { call, how }, { caller: attacker, own: ownCall, attacker })))
				run.leaveOpen(call, how, answer);
		}
		return partsOf(answer);
	};

	const whilePresent: Parts[] = [];
	run.rebase(present);
	progress.begin("recording responses", calls.length);
	for (const call of calls) {
		whilePresent.push(await ask(call));
		progress.step();
	}
	await goTo(absent);
	progress.begin("comparing responses", calls.length);
	for (const [index, call] of calls.entries()) {
		progress.step();
		const first = { present: whilePresent[index] ?? new Map(), absent: await ask(call) };
		if (differing([first.absent], [first.present]).length === 0) continue;
		// ids, times and counters always differ; only differences that follow the rows every time count
		const again = async () => {
			await goTo(present);
			const shown = await ask(call);
			await goTo(absent);
			return { present: shown, absent: await ask(call) };
		};
		const answers = [first, await again(), await again()];
		const found = differing(
			answers.map((answer) => answer.absent),
			answers.map((answer) => answer.present),
		);
		const [place] = found;
		if (place !== undefined)
			run.report(
				call,
				`${callerName(call)}, once while B has one more row in each table and once without`,
				`returns a different response (${place}) for rows of ${victim.label}`,
			);
	}
};

const callerName = ({ headers }: Call): string =>
	Object.keys(headers).length > 0 ? "session of A" : "no session, in tenant A";

/** A's own requests, and requests with values of the victim's added rows. */
const callsAbout = ({ endpoints, served, attacker, inputs }: WatchWith, newcomer: TenantIsolationSide): Call[] =>
	endpoints.flatMap((endpoint) => {
		const own = served.get(attacker)?.get(endpoint);
		const session = (own?.user ?? callerOf(attacker)).headers;
		const about = foreignInputs(endpoint, attacker, newcomer, own?.input ?? {}, inputs, 1).map(({ input }) => input);
		return [
			...(own ? [{ endpoint, input: own.input, headers: session, hint: attacker }] : []),
			...about.flatMap((input) => [session, {}].map((headers) => ({ endpoint, input, headers, hint: attacker }))),
		];
	});

/** Adds one row to each table of the victim, similar to an existing one. */
const addRows = async ({ context, database, victim }: WatchWith): Promise<void> => {
	const ids = new Map<unknown, unknown>();
	for (const table of database.order) {
		const [model] = victim.rows[table] ?? [];
		if (!model || isGlobalTable(table) || table === "tenantOauthConfig") continue;
		const mark = generateRandomString(6, "a-z");
		const data: Row = {};
		for (const [name, cell] of Object.entries(model)) {
			if (name === "id" || name === "tenantId" || name.startsWith("tenantUnique_")) continue;
			data[name] = ids.get(cell) ?? varied(name, cell, victim.canary, mark);
		}
		try {
			const row = await runInKnownTenant(victim.tenantId, () => context.adapter.create<Row>({ model: table, data }));
			ids.set(model.id, row.id);
		} catch {
			// a second row is not possible; the other tables are still tested
		}
	}
};

/** A different value of the same kind. */
const varied = (name: string, cell: unknown, canary: string, mark: string): unknown => {
	if (typeof cell !== "string") return cell;
	if (/e?mail/i.test(name)) return `${canary}${mark}@example.com`;
	if (cell.includes(canary)) return cell.replaceAll(canary, canary + mark);
	return /token|identifier|accountId|code|slug|key/i.test(name) ? mark + cell.slice(mark.length) : cell;
};

const newRows = (before: Snapshot, after: Snapshot, tenantId: string): Record<string, Row[]> =>
	Object.fromEntries(
		Object.entries(rowsOf(after, tenantId)).map(([table, rows]) => [
			table,
			rows.filter(({ id }) => !before.get(table)?.has(String(id))),
		]),
	);

/** This user never calls; requests only name them. */
const newUser = ({ id, email }: Row, rows: Record<string, Row[]>): TenantIsolationUser => ({
	userId: String(id),
	email: String(email),
	password: "",
	headers: {},
	token: rows.session?.map(({ token }) => String(token))[0],
});

/** The values of a response, by their place. */
type Parts = Map<string, string>;

const partsOf = ({ status, text, told }: Answer): Parts => {
	const parts: Parts = new Map([["status", String(status)]]);
	const location = /^location: (.*)$/im.exec(told)?.[1];
	if (location) parts.set("location", location);
	const walk = (value: unknown, place: string): void => {
		if (typeof value !== "object" || value === null) return void parts.set(place, JSON.stringify(value) ?? "");
		if (Array.isArray(value)) parts.set(`${place}.length`, String(value.length));
		for (const [name, inner] of Object.entries(value)) walk(inner, `${place}.${name}`);
	};
	try {
		walk(JSON.parse(text), "body");
	} catch {
		parts.set("body", text);
	}
	return parts;
};

/** Places whose value is constant with the rows and constant without them, but differs between the two. */
const differing = (absent: Parts[], present: Parts[]): string[] => {
	const places = new Set([...absent, ...present].flatMap((parts) => [...parts.keys()]));
	const steady = (answers: Parts[], place: string) => new Set(answers.map((parts) => parts.get(place))).size === 1;
	return [...places].filter(
		(place) => steady(absent, place) && steady(present, place) && absent[0]?.get(place) !== present[0]?.get(place),
	);
};
