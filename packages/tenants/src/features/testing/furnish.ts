import { ownerOf, type Row } from "./database.ts";
import type { Endpoint } from "./endpoints.ts";
import { ownInputs } from "./inputs.ts";
import type { TenantIsolationOptions } from "./options.ts";
import type { Progress } from "./progress.ts";
import type { Left, Run } from "./run.ts";
import type { Answer, Call } from "./send.ts";
import type { SentTokens } from "./sent-tokens.ts";
import type { TenantIsolationInput, TenantIsolationSide, TenantIsolationUser } from "./side.ts";

/** The inputs with which endpoints worked for a side, and the user who called. */
export type Served = Map<
	TenantIsolationSide,
	Map<Endpoint, { input: TenantIsolationInput; user: TenantIsolationUser }>
>;
/** The first side's response from endpoints that never worked. */
export type Refused = Map<Endpoint, string>;

/** Enough rows of a table. */
const ENOUGH = 4;
/** Would delete the side itself. */
export const NEVER = new Set(["/tenant/delete"]);

type FurnishWith = {
	run: Run;
	progress: Progress;
	endpoints: Endpoint[];
	served: Served;
	refused: Refused;
	sent: SentTokens;
	inputs: TenantIsolationOptions["inputs"];
	isAlive: (side: TenantIsolationSide) => Promise<boolean>;
	fresh: () => string;
	/** how many users of a side call each endpoint */
	callers: number;
};

/**
 * Calls every endpoint as the users of a side would. Changes that only add rows are kept, so later calls have data to
 * work with. Other changes are undone.
 */
export const furnish = async (side: TenantIsolationSide, parts: FurnishWith): Promise<void> => {
	const { run, progress, endpoints, served, refused } = parts;
	const own: NonNullable<ReturnType<Served["get"]>> = served.get(side) ?? new Map();
	served.set(side, own);
	const [first = side] = served.keys();
	progress.begin(`preparing ${side.label}`, endpoints.length);
	for (const endpoint of endpoints) {
		progress.step();
		if (own.has(endpoint)) continue;
		// the sides are the same, so an endpoint that never worked in the first side works in no other
		if (side !== first && !served.get(first)?.has(endpoint)) continue;
		if (NEVER.has(endpoint.path ?? "")) {
			refused.set(endpoint, "it would delete the attacker's tenant");
			continue;
		}
		const how = `session of ${side.label}, its own input`;
		const attempts = ownInputs(endpoint, side, parts.fresh, parts.inputs).flatMap((input) =>
			side.users.slice(0, parts.callers).map((user) => ({ input, user })),
		);
		for (const { input, user } of attempts) {
			const call = { endpoint, input, headers: user.headers, hint: side };
			const answer = await run.ask(call, side, how);
			const isServed = succeeded(answer);
			if (isServed) own.set(endpoint, { input, user });
			else if (side === first && !refused.has(endpoint)) refused.set(endpoint, reasonOf(answer));
			// an error response usually changes nothing
			if (!isServed && answer.status < 500) continue;
			const left = await run.judge(await run.look(), call, side, how);
			// a token that was used up could not be tried in the attacks
			const mayStay = isServed && !usesToken(side, input);
			if (!(mayStay && (await keepIfUseful(side, left, parts)))) {
				await takeBack(call, left, side, parts);
				if (mayStay && addsRows(side, left)) await callAgain(call, side, parts);
			}
			if (isServed) break;
		}
	}
};

/** Undoes a call. What it sent is worth nothing without its row. */
const takeBack = async (
	call: Call,
	left: Left,
	side: TenantIsolationSide,
	{ run, sent }: FurnishWith,
): Promise<void> => {
	await run.undo(left);
	sent.undo(side, call);
};

/**
 * Repeats a call that added rows beside a change that kept them from staying. A task that an earlier call left running may have made
 * that change, and without the rows nothing could be tried with them.
 */
const callAgain = async (first: Call, side: TenantIsolationSide, parts: FurnishWith): Promise<void> => {
	const { run } = parts;
	await run.settle();
	// what it sends is its own
	const call = { ...first };
	const how = `session of ${side.label}, its own input`;
	if (!succeeded(await run.ask(call, side, how))) return;
	const left = await run.look();
	if (!(await keepIfUseful(side, left, parts))) await takeBack(call, left, side, parts);
};

const usesToken = ({ tokens }: TenantIsolationSide, input: TenantIsolationInput): boolean => {
	const text = JSON.stringify(input);
	return tokens.some(({ value }) => text.includes(value));
};

/** Whether the response is neither an error nor a redirect to an error page. */
export const succeeded = ({ status, told }: Answer): boolean =>
	status >= 200 && status < 400 && !/^location: .*[?&]error=/im.test(told);

/** Keeps changes that give later calls data to work with. Returns false if they must be undone. */
const keepIfUseful = async (side: TenantIsolationSide, left: Left, { run, isAlive }: FurnishWith): Promise<boolean> => {
	const adds =
		addsRows(side, left) &&
		left.changes.every(
			({ table, before, after }) =>
				after &&
				ownerOf(table, after) === side.tenantId &&
				!(before && (table === "user" || table === "account") && !isTouched(before, after)),
		);
	if (!adds) return false;
	const before = run.base();
	run.rebase(left.after);
	if (await isAlive(side)) return true;
	run.rebase(before);
	return false;
};

const addsRows = (side: TenantIsolationSide, { changes }: Left): boolean =>
	changes.some(({ table, before }) => !before && (side.rows[table]?.length ?? 0) < ENOUGH);

/** Whether a row was only locked by a write of the values that it has. */
const isTouched = (before: Row, after: Row): boolean =>
	JSON.stringify({ ...before, updatedAt: null }) === JSON.stringify({ ...after, updatedAt: null });

const reasonOf = ({ status, text }: Answer): string => {
	if (status === 0) return "no response in time";
	const code = /"code":"(\w+)"/.exec(text)?.[1];
	return `${status}${code ? ` ${code}` : ""}`;
};
