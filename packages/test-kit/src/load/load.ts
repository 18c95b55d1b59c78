import { setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "./ledger.ts";
import { type Answer, PASSWORD, pick, Visitor } from "./visitor.ts";

export type LoadOptions = {
	workers: number;
	/** the instance for a worker's next request */
	origin: () => string;
	tenants: string[];
	/** email prefix of this load only */
	people: string;
	ledger: Ledger;
	/** sessions that the fault may end, like an empty Redis does */
	sessionsMayEnd?: () => boolean;
	/** milliseconds for which another process may still accept a session that ended */
	endsWithin?: number;
	/** each user is renamed, and every process shows the new name after `endsWithin` */
	renames?: boolean;
	/** milliseconds between what a user does; 0 by default */
	thinks?: number;
};

const RETRY_MS = 40;
const TAKEN = "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL";

/**
 * Users who sign up, read their session, sign in, list sessions and sign out, and who retry if the server allows it.
 * Each knows what was acknowledged, so every response can be checked.
 */
export const startLoad = (options: LoadOptions) => {
	let stopped = false;
	const workers = Array.from({ length: options.workers }, async (_, worker) => {
		for (let round = 0; !stopped; round += 1) await live(options, worker, round, () => stopped);
	});
	return async (): Promise<void> => {
		stopped = true;
		await Promise.all(workers);
	};
};

const ok = ({ status }: Answer): boolean => status === 200;

const live = async (options: LoadOptions, worker: number, round: number, stopped: () => boolean): Promise<void> => {
	const { origin, tenants, people, ledger } = options;
	const tenantId = tenants[(worker + round) % tenants.length] ?? "";
	const user = { tenantId, email: `${people}-${worker}-${round}@example.com`, password: PASSWORD };
	/** Retries a request until it succeeds; null if the load ends first. */
	const until: Until = async (what, send, succeeded, allowed = () => []) => {
		for (let attempt = 1; ; attempt += 1) {
			const answer = await send();
			if (ledger.note(worker, what, answer, succeeded(answer), allowed(attempt))) return answer;
			if (allowed(attempt).includes(answer.code ?? "")) return answer;
			if (stopped()) return null;
			await wait(RETRY_MS);
		}
	};
	const life: Life = { options, user, until, think: () => wait(options.thinks ?? 0) };

	const body = { ...user, name: "W" };
	// a lost response may have been a success: then this user has the email
	const signedUp = await until(
		"sign-up",
		() => new Visitor(origin).send("/tenant/sign-up/email", { body }),
		(answer) => ok(answer) && pick(answer.json, "user", "email") === user.email,
		(attempt) => (attempt > 1 ? [TAKEN] : []),
	);
	if (!signedUp) return;
	ledger.people.push({ tenantId, email: user.email });

	await life.think();
	const visitor = new Visitor(origin);
	if (!(await until("sign-in", () => visitor.send("/tenant/sign-in/email", { body: user }), ok))) return;
	if (!(await lookAround(life, visitor))) return;
	if (options.renames && !(await rename(life, visitor, `W ${round}`))) return;
	await leave(life, visitor.copy());
};

type Until = (
	what: string,
	send: () => Promise<Answer>,
	succeeded: (answer: Answer) => boolean,
	allowed?: (attempt: number) => string[],
) => Promise<Answer | null>;

type Life = {
	options: LoadOptions;
	user: { tenantId: string; email: string };
	until: Until;
	think: () => Promise<void>;
};

const isOf = ({ tenantId, email }: Life["user"], { json }: Answer): boolean =>
	pick(json, "user", "email") === email && pick(json, "session", "tenantId") === tenantId;

/** Reads and lists the sessions. Returns whether the session is still there. */
const lookAround = async ({ options, user, until, think }: Life, visitor: Visitor): Promise<boolean> => {
	const { sessionsMayEnd = () => false } = options;
	const ended = (answer: Answer): boolean => sessionsMayEnd() && (answer.json === null || answer.status === 401);
	for (let look = 0; look < 3; look += 1) {
		await think();
		const seen = await until(
			"get-session",
			() => visitor.copy().send("/get-session"),
			(answer) => isOf(user, answer) || ended(answer),
		);
		if (!seen || !isOf(user, seen)) return false;
	}
	await think();
	const listed = await until(
		"list-sessions",
		() => visitor.copy().send("/list-sessions"),
		(answer) => ok(answer) || ended(answer),
	);
	return listed !== null && ok(listed);
};

/** Changes the name, and looks until a response shows it. Returns whether it was seen. */
const rename = async ({ options, user, until, think }: Life, visitor: Visitor, name: string): Promise<boolean> => {
	const { ledger, endsWithin = 0 } = options;
	const isNew = ({ json }: Answer): boolean => pick(json, "user", "name") === name;
	await think();
	if (!(await until("update-user", () => visitor.copy().send("/update-user", { body: { name } }), ok))) return false;
	const since = performance.now();
	for (;;) {
		const seen = await until(
			"get-session after update-user",
			() => visitor.copy().send("/get-session"),
			(answer) => isOf(user, answer) && (isNew(answer) || performance.now() - since < endsWithin),
		);
		if (!seen) return false;
		if (isNew(seen)) break;
	}
	ledger.seenAfter.push(performance.now() - since);
	return true;
};

/** Signs out, and looks until the session is refused. */
const leave = async ({ options, user, until, think }: Life, visitor: Visitor): Promise<void> => {
	const { ledger, endsWithin = 0 } = options;
	await think();
	if (!(await until("sign-out", () => visitor.copy().send("/sign-out", { body: {} }), ok))) return;
	ledger.revoked.push({ visitor, tenantId: user.tenantId });
	const since = performance.now();
	let refused: Answer | null = null;
	while (refused === null || (refused.json !== null && performance.now() - since < endsWithin))
		refused = await until(
			"get-session after sign-out",
			() => visitor.copy().send("/get-session"),
			(answer) => ok(answer) && (answer.json === null || performance.now() - since < endsWithin),
		);
	if (refused.json === null) ledger.endedAfter.push(performance.now() - since);
};
