import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { isGlobalTable } from "../../scope/data/tables.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { attack } from "./attack.ts";
import { openDatabase, type Snapshot } from "./database.ts";
import { listEndpoints } from "./endpoints.ts";
import { furnish, type Refused, type Served } from "./furnish.ts";
import { findInterference } from "./interference.ts";
import { makeUpRows } from "./made-up-rows.ts";
import { makeSides, removeSides, tenantApiOf } from "./make-sides.ts";
import type { TenantIsolationAuth, TenantIsolationOptions } from "./options.ts";
import { createProgress, findTerminal } from "./progress.ts";
import { keepLog } from "./quiet-log.ts";
import {
	formatLeaks,
	formatNotJudged,
	formatReport,
	type TenantIsolationLeak,
	type TenantIsolationReport,
} from "./report.ts";
import { createRun } from "./run.ts";
import { createSend } from "./send.ts";
import { createSentTokens, type SentTokens, watchTokens } from "./sent-tokens.ts";
import { takeShortcuts } from "./shortcuts.ts";
import { callerOf, type TenantIsolationSide } from "./side.ts";

/**
 * Attacks your own configuration, including your own plugins. Throws an error that lists the data that one tenant got from
 * another, or the attacks that could not be judged. Use it in tests only: it writes to the database that `auth` is connected to. Costs thousands of calls.
 *
 * @example
 * ```ts
 * it("isolates tenants", async () => {
 * 	await assertTenantIsolation(auth);
 * }, 300_000);
 * ```
 */
export const assertTenantIsolation = async (
	auth: TenantIsolationAuth,
	options: TenantIsolationOptions = {},
): Promise<TenantIsolationReport> => {
	const report = await findTenantLeaks(auth, options);
	if (report.leaks.length > 0) throw new Error(formatLeaks(report.leaks));
	// what was not judged may leak
	if (report.notJudged.length > 0) throw new Error(formatNotJudged(report.notJudged));
	return report;
};

/**
 * Runs the same attacks as `assertTenantIsolation` and returns the report instead of throwing on leaks.
 *
 * @example
 * ```ts
 * const { leaks, notExercised } = await findTenantLeaks(auth, { only: ["/notes/read"] });
 * ```
 */
export const findTenantLeaks = async (
	auth: TenantIsolationAuth,
	options: TenantIsolationOptions = {},
): Promise<TenantIsolationReport> => {
	refuseProduction();
	// throws the error of tenantAuth() if it rejects the configuration
	const context = (await auth.$context) as AuthContext;
	tenantApiOf(auth);
	const database = await openDatabase(context);
	const before = await database.read();
	if (!options.allowFilledDatabase) refuseFilledDatabase(before);

	const sides: TenantIsolationSide[] = [];
	const endShortcuts = takeShortcuts(context);
	const engineLog = keepLog(context, options.verbose ?? false);
	const sent = createSentTokens();
	const endTokens = watchTokens(context, (tenantId, token, call) => {
		const side = sides.find((one) => one.tenantId === tenantId);
		if (side) sent.add(side, token, call);
	});
	const send = createSend(auth, context, options, engineLog);
	const log = options.log === false ? () => {} : (options.log ?? console.info);
	const parts = { auth, context, database, send, sent, options, log, endTokens };
	try {
		await makeSides(parts, (side) => sides.push(side));
		const report = await attackAll(parts, sides);
		for (const line of formatReport(report).split("\n")) log(line);
		return report;
	} finally {
		try {
			if (options.cleanup ?? true) await removeSides(parts, sides, before);
		} finally {
			endTokens();
			engineLog.end();
			endShortcuts();
		}
	}
};

type AttackWith = Parameters<typeof makeSides>[0] & {
	sent: SentTokens;
	log: (line: string) => void;
	endTokens: () => void;
};

const attackAll = async (
	{ auth, context, database, send, sent, options, log, endTokens }: AttackWith,
	sides: TenantIsolationSide[],
): Promise<TenantIsolationReport> => {
	const skip = new Set(options.skip);
	const listed = listEndpoints(auth.api);
	const isSkipped = ({ path, name }: (typeof listed)[number]) =>
		skip.has(path ?? name) || (options.only !== undefined && !options.only.includes(path ?? name));
	const endpoints = listed.filter((endpoint) => !isSkipped(endpoint));
	const [attacker, ...victims] = sides;
	const [victim] = victims;
	if (!attacker || !victim) throw new Error("assertTenantIsolation: two tenants are required");

	const run = createRun({ context, database, send, sides, base: await database.read() });
	const terminal = options.log === undefined ? findTerminal() : undefined;
	const progress = createProgress({ log, calls: run.calls, terminal });
	let count = 0;
	const fresh = () => `n${++count}`;
	const served: Served = new Map();
	const refused: Refused = new Map();
	const isAlive = async (side: TenantIsolationSide): Promise<boolean> => {
		const { userId, token } = callerOf(side);
		const sessions = await runInKnownTenant(side.tenantId, () => context.internalAdapter.listSessions(userId));
		return sessions.some((session) => token === undefined || session.token === token);
	};
	const furnishing = { run, progress, endpoints, served, refused, sent, inputs: options.inputs, isAlive, fresh };
	for (const side of sides) await furnish(side, { ...furnishing, callers: 1 });
	const emptyTables = new Set<string>();
	for (const side of sides) {
		for (const table of await makeUpRows(context, database.order, side)) emptyTables.add(table);
	}
	run.rebase(await database.read());
	// again, because the rows created above make more endpoints usable
	for (const side of sides) await furnish(side, { ...furnishing, callers: 2 });

	// attacks are undone, with the rows of what they send
	endTokens();

	const attacking = { run, attacker, victims, served, inputs: options.inputs, fresh };
	progress.begin("attacking", endpoints.length);
	for (const endpoint of endpoints) {
		await attack(endpoint, attacking);
		progress.step();
	}
	await findInterference({
		context,
		database,
		run,
		progress,
		attacker,
		victim,
		endpoints,
		served,
		inputs: options.inputs,
	});

	progress.end();

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
		notJudged: run.notJudged(),
		leaks: [...unscopedTables(context), ...run.leaks()],
	};
};

const unscopedTables = ({ tables }: AuthContext): TenantIsolationLeak[] =>
	Object.entries(tables)
		.filter(([table, { fields }]) => !isGlobalTable(table) && !fields.tenantId)
		.map(([table]) => ({
			endpoint: `table ${table}`,
			how: "the schema of Better Auth",
			what: "has no tenant column, so every tenant reads and writes the same rows",
			logged: [],
			replay: "pass its plugin to withTenants: plugins: withTenants(options, [thatPlugin()])",
		}));

/** The attacks create users, delete rows and overwrite them, so they must never run in production. */
const refuseProduction = (): void => {
	if (globalThis.process?.env.NODE_ENV === "production") {
		throw new BetterAuthError(
			"assertTenantIsolation attacks its database, so it does not run with NODE_ENV=production. Run it in your tests, with a separate database.",
		);
	}
};

const refuseFilledDatabase = (snapshot: Snapshot): void => {
	const [tenants, users] = [snapshot.get("tenant")?.size ?? 0, snapshot.get("user")?.size ?? 0];
	if (tenants + users === 0) return;
	throw new BetterAuthError(
		`assertTenantIsolation: the database contains ${tenants} tenants and ${users} users. A successful attack changes them, and every row is read after every call. Use an empty test database, or set allowFilledDatabase: true.`,
	);
};
