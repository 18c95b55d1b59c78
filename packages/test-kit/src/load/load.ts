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

const live = async (options: LoadOptions, worker: number, round: number, stopped: () => boolean): Promise<void> => {
	const { origin, tenants, people, ledger, sessionsMayEnd = () => false, endsWithin = 0, renames = false } = options;
	const think = () => wait(options.thinks ?? 0);
	const tenantId = tenants[(worker + round) % tenants.length] ?? "";
	const email = `${people}-${worker}-${round}@example.com`;
	/** Retries a request until it succeeds; null if the load ends first. */
	const until = async (
		what: string,
		send: () => Promise<Answer>,
		succeeded: (answer: Answer) => boolean,
		allowed: (attempt: number) => string[] = () => [],
	): Promise<Answer | null> => {
		for (let attempt = 1; ; attempt += 1) {
			const answer = await send();
			if (ledger.note(worker, what, answer, succeeded(answer), allowed(attempt))) return answer;
			if (allowed(attempt).includes(answer.code ?? "")) return answer;
			if (stopped()) return null;
			await wait(RETRY_MS);
		}
	};
	const isOwn = (answer: Answer): boolean =>
		pick(answer.json, "user", "email") === email && pick(answer.json, "session", "tenantId") === tenantId;
	const ok = ({ status }: Answer): boolean => status === 200;

	const first = new Visitor(origin);
	const body = { tenantId, name: "W", email, password: PASSWORD };
	// a lost response may have been a success: then this user has the email
	const signedUp = await until(
		"sign-up",
		() => first.send("/tenant/sign-up/email", { body }),
		(answer) => ok(answer) && pick(answer.json, "user", "email") === email,
		(attempt) => (attempt > 1 ? [TAKEN] : []),
	);
	if (!signedUp) return;
	ledger.people.push({ tenantId, email });

	await think();
	const second = new Visitor(origin);
	const { name: _name, ...credentials } = body;
	const signedIn = await until("sign-in", () => second.send("/tenant/sign-in/email", { body: credentials }), ok);
	if (!signedIn) return;

	const ended = (answer: Answer): boolean => sessionsMayEnd() && (answer.json === null || answer.status === 401);
	for (let look = 0; look < 3; look += 1) {
		await think();
		const seen = await until(
			"get-session",
			() => second.copy().send("/get-session"),
			(answer) => isOwn(answer) || ended(answer),
		);
		if (!seen) return;
		if (!isOwn(seen)) return;
	}
	await think();
	const listed = await until(
		"list-sessions",
		() => second.copy().send("/list-sessions"),
		(answer) => ok(answer) || ended(answer),
	);
	if (!listed || !ok(listed)) return;

	if (renames) {
		await think();
		const name = `W ${round}`;
		const renamed = await until("update-user", () => second.copy().send("/update-user", { body: { name } }), ok);
		if (!renamed) return;
		const isNew = (answer: Answer): boolean => pick(answer.json, "user", "name") === name;
		const since = performance.now();
		let seen: Answer | null = null;
		while (seen === null || !isNew(seen)) {
			seen = await until(
				"get-session after update-user",
				() => second.copy().send("/get-session"),
				(answer) => isOwn(answer) && (isNew(answer) || performance.now() - since < endsWithin),
			);
			if (!seen) return;
		}
		ledger.seenAfter.push(performance.now() - since);
	}

	await think();
	const before = second.copy();
	const signedOut = await until("sign-out", () => before.copy().send("/sign-out", { body: {} }), ok);
	if (!signedOut) return;
	ledger.revoked.push({ visitor: before, tenantId });
	const since = performance.now();
	let refused: Answer | null = null;
	while (refused === null || (refused.json !== null && performance.now() - since < endsWithin))
		refused = await until(
			"get-session after sign-out",
			() => before.copy().send("/get-session"),
			(answer) => ok(answer) && (answer.json === null || performance.now() - since < endsWithin),
		);
	if (refused.json === null) ledger.endedAfter.push(performance.now() - since);
};
