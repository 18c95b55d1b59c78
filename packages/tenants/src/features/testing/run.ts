import type { AuthContext } from "@better-auth/core";
import { type Change, changesBetween, type Database, rowsOf, type Snapshot } from "./database.ts";
import { foreignChanges, foreignCopies, foreignReferences, type Secrets, secretsFrom, toldSecrets } from "./oracle.ts";
import { nameValues, replayOf, type TenantIsolationLeak, type TenantIsolationReport } from "./report.ts";
import { type Answer, type Call, isUndecided, type Send } from "./send.ts";
import type { TenantIsolationSide } from "./side.ts";

type RunWith = { context: AuthContext; database: Database; send: Send; sides: TenantIsolationSide[]; base: Snapshot };
/** The changes that calls made to the database. */
export type Left = { changes: Change[]; after: Snapshot };
/** A call, and how the report describes it. */
export type Attempt = { call: Call; how: string };
/** Who sends an attack, and the request that works for the attacker. */
type Callers = { caller: TenantIsolationSide; own: Call; attacker: TenantIsolationSide };
export type Run = ReturnType<typeof createRun>;

/** Whether a user of the platform calls a management endpoint. An operator may manage every tenant. */
const manages = ({ endpoint }: Call, { label }: TenantIsolationSide): boolean =>
	label === "platform" && endpoint.kind === "management";

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Milliseconds in which tasks end that earlier calls left running. */
const REST = 100;
/** Milliseconds before a call is sent again that a busy machine may have refused. */
const PAUSES = [REST, 500, 2_000];

type State = ReturnType<typeof createState>;
type Findings = ReturnType<typeof createFindings>;
type Asking = ReturnType<typeof createAsking>;

/** Sends calls, checks each for leaks, and undoes its changes unless they are kept. */
export const createRun = (parts: RunWith) => {
	const findings = createFindings(parts.sides);
	const state = createState(parts);
	const asking = createAsking(parts, state, findings);
	const { look, undo, rebase, base } = state;
	const { ask, settle, calls } = asking;
	return {
		...findings,
		...createProbing(parts, { ...state, ...asking, ...findings }),
		ask,
		settle,
		calls,
		look,
		undo,
		rebase,
		base,
	};
};

/** What the report will say. */
const createFindings = (sides: TenantIsolationSide[]) => {
	const leaks = new Map<string, TenantIsolationLeak>();
	const notJudged = new Map<string, TenantIsolationReport["notJudged"][number]>();
	return {
		report: (call: Call, how: string, what: string, logged: string[] = []): void => {
			const named = nameValues(what, sides).replaceAll("tenant A", "A").replaceAll("tenant B", "B");
			const key = `${call.endpoint.label} ${named}`;
			if (!leaks.has(key))
				leaks.set(key, { endpoint: call.endpoint.label, how, what: named, replay: replayOf(call, sides), logged });
		},
		/** Reports that an attack says nothing. */
		leaveOpen: ({ endpoint: { label } }: Call, how: string, { status }: Pick<Answer, "status">): void => {
			const why = status === 0 ? "no response in time" : `returned ${status}`;
			notJudged.set(`${label} ${how}`, { endpoint: label, how: nameValues(how, sides), why });
		},
		notJudged: (): TenantIsolationReport["notJudged"] => [...notJudged.values()],
		leaks: (): TenantIsolationLeak[] => [...leaks.values()],
	};
};

/** The state of the database to which changes are undone. */
const createState = ({ database, sides, base: start }: Pick<RunWith, "database" | "sides" | "base">) => {
	let base = start;
	const secrets = new Map<TenantIsolationSide, Secrets>();

	const rebase = (state: Snapshot): void => {
		base = state;
		secrets.clear();
		for (const side of sides) side.rows = rowsOf(state, side.tenantId);
	};
	rebase(start);

	return {
		rebase,
		base: (): Snapshot => base,
		secretsFor: (side: TenantIsolationSide): Secrets => {
			const known = secrets.get(side) ?? secretsFrom(base, side, sides);
			secrets.set(side, known);
			return known;
		},
		/** Reads the changes since the last undo. */
		look: async (): Promise<Left> => {
			const after = await database.read();
			return { after, changes: changesBetween(base, after) };
		},
		undo: async ({ changes }: Left): Promise<void> => {
			if (changes.length === 0) return;
			const restored = await database.restore(base, changes);
			// if the state cannot be restored exactly, the new state becomes the base
			if (restored !== base) rebase(restored);
		},
	};
};

/** Sends calls and checks what the responses tell. */
const createAsking = (
	{ send, sides }: Pick<RunWith, "send" | "sides">,
	{ look, undo, secretsFor }: State,
	{ report }: Pick<Findings, "report">,
) => {
	let calls = 0;
	/** endpoints that all retries did not help: each further call would take as long again */
	const stuck = new Set<Call["endpoint"]>();

	/** Sends a call for `side`, and finds values of other sides in the response. */
	const sendAndCheck = async (call: Call, side: TenantIsolationSide): Promise<{ answer: Answer; told: string[] }> => {
		calls += 1;
		const answer = await send(call);
		if (manages(call, side)) return { answer, told: [] };
		return { answer, told: toldSecrets(answer, secretsFor(side), canariesBeside(side, sides)) };
	};

	const askOnce = async (call: Call, side: TenantIsolationSide, how: string): Promise<Answer> => {
		const { answer, told } = await sendAndCheck(call, side);
		for (const what of told) report(call, how, what);
		if (!stuck.has(call.endpoint)) await answer.late;
		return answer;
	};

	/** Sends a call, again if the machine may have refused it, and reports values of other sides in the responses. */
	const ask = async (call: Call, side: TenantIsolationSide, how: string): Promise<Answer> => {
		let answer = await askOnce(call, side, how);
		if (!isUndecided(answer) || stuck.has(call.endpoint)) return answer;
		// a call without a response takes longest
		for (const pause of answer.status === 0 ? [REST] : PAUSES) {
			await undo(await look());
			await wait(pause);
			await undo(await look());
			answer = await askOnce(call, side, how);
			if (!isUndecided(answer)) return answer;
		}
		stuck.add(call.endpoint);
		return answer;
	};

	/** Undoes what tasks write that earlier calls left running. */
	const settle = async (): Promise<void> => {
		await wait(REST);
		await undo(await look());
	};

	return { sendAndCheck, ask, settle, calls: (): number => calls };
};

/** Sends calls, checks what they changed in the database too, and undoes it. */
const createProbing = (
	{ context, database, sides }: Pick<RunWith, "context" | "database" | "sides">,
	{ look, undo, report, sendAndCheck, ask, settle }: State & Asking & Pick<Findings, "report">,
) => {
	const foreignIn = ({ changes, after }: Left, side: TenantIsolationSide, call: Call): string[] => [
		...foreignChanges(changes, side),
		...foreignReferences(changes, after, context),
		...foreignCopies(changes, side, canariesBeside(side, sides), JSON.stringify([call.input, call.headers])),
	];

	/**
	 * Reports rows of other tenants that the call created, changed or referenced. A task that an earlier call left running
	 * may have changed them, so only what happens again counts. Returns the changes of the last call.
	 */
	const judge = async (left: Left, call: Call, side: TenantIsolationSide, how: string): Promise<Left> => {
		const suspected = manages(call, side) ? [] : foreignIn(left, side, call);
		if (suspected.length === 0) return left;
		await undo(left);
		await settle();
		await ask(call, side, how);
		const again = await look();
		for (const what of foreignIn(again, side, call)) if (suspected.includes(what)) report(call, how, what);
		return again;
	};

	const probe = async (call: Call, side: TenantIsolationSide, how: string): Promise<Answer> => {
		const answer = await ask(call, side, how);
		await undo(await judge(await look(), call, side, how));
		return answer;
	};

	const probeEach = async (attempts: Attempt[], side: TenantIsolationSide): Promise<Answer[]> => {
		const answers: Answer[] = [];
		for (const { call, how } of attempts) answers.push(await probe(call, side, how));
		return answers;
	};

	/**
	 * Probes many calls. Most attacks change nothing, and reading every table costs more than a call. So if the database does
	 * not tell that something was written, the tables are read once after all calls. Only if something changed, each call is
	 * sent again and checked separately.
	 */
	const probeAll = async (attempts: Attempt[], side: TenantIsolationSide): Promise<Answer[]> => {
		if (database.noticesWrites) return probeEach(attempts, side);
		const results: { answer: Answer; told: string[] }[] = [];
		// one after the other: in parallel, a later write could restore what an earlier one changed, in some runs only
		for (const { call } of attempts) results.push(await sendAndCheck(call, side));
		const left = await look();
		if (left.changes.length === 0 && !results.some(({ answer }) => isUndecided(answer))) {
			for (const [index, { call, how }] of attempts.entries()) {
				for (const what of results[index]?.told ?? []) report(call, how, what);
			}
			return results.map(({ answer }) => answer);
		}
		// a response may contain a value that an earlier call wrote, so each call is checked separately
		await undo(left);
		return probeEach(attempts, side);
	};

	return { judge, probe, probeAll, isJudged: createJudged(probe) };
};

/**
 * Whether an answer says something. An endpoint may return 429 or 503 to an attack on purpose: then the request that worked for the
 * attacker works now, too, and the attack is refused again.
 */
const createJudged =
	(probe: (call: Call, side: TenantIsolationSide, how: string) => Promise<Answer>) =>
	async (answer: Answer, { call, how }: Attempt, { caller, own, attacker }: Callers): Promise<boolean> => {
		if (!isUndecided(answer)) return true;
		if (answer.status === 0) return false;
		const control = await probe(own, attacker, `session of ${attacker.label}, its own input`);
		return !isUndecided(control) && (await probe(call, caller, how)).status !== 0;
	};

const canariesBeside = (side: TenantIsolationSide, sides: TenantIsolationSide[]): string[] =>
	sides.filter((other) => other !== side).map(({ canary }) => canary);
