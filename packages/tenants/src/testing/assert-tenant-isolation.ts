import type { AuthContext } from "@better-auth/core";
import { isGlobalTable } from "../scope/tables.ts";
import { runWithTenant } from "../scope/tenant-context.ts";
import { attack } from "./attack.ts";
import { openDatabase } from "./database.ts";
import { listEndpoints } from "./endpoints.ts";
import { furnish, type Refused, type Served } from "./furnish.ts";
import { findInterference } from "./interference.ts";
import { makeUpRows } from "./made-up-rows.ts";
import { makeSides, removeSides, tenantApiOf } from "./make-sides.ts";
import { refuseFilledDatabase, refuseProduction } from "./may-run.ts";
import type { IsolationOptions, TestedAuth } from "./options.ts";
import { formatLeaks, formatReport, type IsolationReport, type Leak } from "./report.ts";
import { createRun } from "./run.ts";
import { createSend } from "./send.ts";
import { callerOf, type Side } from "./side.ts";

/**
 * Attacks your configuration, including your own plugins. Throws an error that lists every leak between tenants. For
 * tests only: it writes to the database that `auth` uses.
 */
export const assertTenantIsolation = async (
	auth: TestedAuth,
	options: IsolationOptions = {},
): Promise<IsolationReport> => {
	const report = await findTenantLeaks(auth, options);
	if (report.leaks.length > 0) throw new Error(formatLeaks(report.leaks));
	return report;
};

/** The same without throwing for leaks. Returns what was called, what was not, and what leaked. */
export const findTenantLeaks = async (auth: TestedAuth, options: IsolationOptions = {}): Promise<IsolationReport> => {
	refuseProduction();
	// throws the error of tenantAuth() if it rejects the configuration
	const context = (await auth.$context) as AuthContext;
	tenantApiOf(auth);
	const database = await openDatabase(context);
	const before = await database.read();
	if (!options.allowFilledDatabase) refuseFilledDatabase(before);

	const send = createSend(auth, context, options);
	const parts = { auth, context, database, send, options };
	const sides: Side[] = [];
	// the attack sends thousands of calls from one address
	const { rateLimit } = context;
	const wasLimited = rateLimit.enabled;
	rateLimit.enabled = false;
	try {
		await makeSides(parts, (side) => sides.push(side));
		const report = await attackAll(parts, sides);
		for (const line of formatReport(report).split("\n")) options.log?.(line);
		return report;
	} finally {
		if (options.cleanup ?? true) await removeSides(parts, sides, before);
		rateLimit.enabled = wasLimited;
	}
};

type AttackWith = Parameters<typeof makeSides>[0];

const attackAll = async (
	{ auth, context, database, send, options }: AttackWith,
	sides: Side[],
): Promise<IsolationReport> => {
	const skip = new Set(options.skip);
	const listed = listEndpoints(auth.api);
	const isSkipped = ({ path, name }: (typeof listed)[number]) =>
		skip.has(path ?? name) || (options.only !== undefined && !options.only.includes(path ?? name));
	const endpoints = listed.filter((endpoint) => !isSkipped(endpoint));
	const [attacker, ...victims] = sides;
	const [victim] = victims;
	if (!attacker || !victim) throw new Error("assertTenantIsolation: two tenants are required");

	const run = createRun({ context, database, send, sides, base: await database.read() });
	let count = 0;
	const fresh = () => `n${++count}`;
	const served: Served = new Map();
	const refused: Refused = new Map();
	const isAlive = async (side: Side): Promise<boolean> => {
		const { userId, token } = callerOf(side);
		const sessions = await runWithTenant(side.tenantId, () => context.internalAdapter.listSessions(userId));
		return sessions.some((session) => token === undefined || session.token === token);
	};
	const furnishing = { run, endpoints, served, refused, inputs: options.inputs, isAlive, fresh };
	for (const side of sides) await furnish(side, { ...furnishing, callers: 1 });
	const emptyTables = new Set<string>();
	for (const side of sides) {
		for (const table of await makeUpRows(context, database.order, side)) emptyTables.add(table);
	}
	run.rebase(await database.read());
	// again, because the rows created above make more endpoints usable
	for (const side of sides) await furnish(side, { ...furnishing, callers: 2 });

	const attacking = { run, attacker, victims, served, inputs: options.inputs, fresh };
	for (const endpoint of endpoints) await attack(endpoint, attacking);
	await findInterference({ context, database, run, attacker, victim, endpoints, served, inputs: options.inputs });

	const reached = endpoints.filter((endpoint) => served.get(attacker)?.has(endpoint));
	return {
		endpoints: listed.length,
		calls: run.calls(),
		reached: reached.map(({ label }) => label),
		notExercised: endpoints
			.filter((endpoint) => !reached.includes(endpoint))
			.map((endpoint) => ({ endpoint: endpoint.label, why: refused.get(endpoint) ?? "never called" })),
		emptyTables: [...emptyTables],
		skipped: listed.filter(isSkipped).map(({ label }) => label),
		leaks: [...unscopedTables(context), ...run.leaks()],
	};
};

const unscopedTables = ({ tables }: AuthContext): Leak[] =>
	Object.entries(tables)
		.filter(([table, { fields }]) => !isGlobalTable(table) && !fields.tenantId)
		.map(([table]) => ({
			endpoint: `table ${table}`,
			how: "the schema of Better Auth",
			what: "has no tenant column, so every tenant reads and writes the same rows",
			replay: "pass its plugin to withTenants: plugins: withTenants(options, [thatPlugin()])",
		}));
