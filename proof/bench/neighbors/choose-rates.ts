import { availableParallelism } from "node:os";
import { median, round } from "../stage/statistics.ts";
import { type Rates, streamsOf } from "./household-streams.ts";
import type { Quarter } from "./quarter.ts";

export type ChosenRates = {
	/** of one tenant */
	each: Rates;
	/** how long one sign-in alone takes; most of it is the hash */
	signInMs: number;
	/** session checks a second that the server answers at most, with nothing else to do */
	sessionsAtMost: number;
};

/** Of the processors, for the sign-ins of all tenants together. */
const HASHING_SHARE = 0.2;
/** Of the session checks that the server can answer, for all tenants together. */
const SESSION_SHARE = 0.1;
const PARALLEL = 16;

/** Rates at which so many tenants leave most of the machine idle, whatever machine it is. */
export const chooseRates = async (
	{ client, loud }: Quarter,
	{ tenants, full }: { tenants: number; full: boolean },
): Promise<ChosenRates> => {
	const [signIns, sessions] = streamsOf(client, loud, { signIn: 1, session: 1 });
	if (!signIns || !sessions) throw new Error("no streams");
	const times: number[] = [];
	for (let number = 0; number < (full ? 30 : 8); number += 1) {
		const began = performance.now();
		await signIns.send(number);
		times.push(performance.now() - began);
	}
	const signInMs = median(times);
	const seconds = full ? 10 : 2;
	let sent = 0;
	const began = performance.now();
	await Promise.all(
		Array.from({ length: PARALLEL }, async () => {
			while (performance.now() < began + seconds * 1000) await sessions.send(sent++);
		}),
	);
	const sessionsAtMost = sent / ((performance.now() - began) / 1000);
	return {
		each: {
			signIn: round((HASHING_SHARE * availableParallelism() * 1000) / signInMs / tenants, 3),
			session: round((SESSION_SHARE * sessionsAtMost) / tenants, 2),
		},
		signInMs: round(signInMs, 1),
		sessionsAtMost: Math.round(sessionsAtMost),
	};
};
