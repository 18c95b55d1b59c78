import { availableParallelism } from "node:os";
import { median, round } from "../stage/statistics.ts";
import { type Rates, streamsOf } from "./household-streams.ts";
import type { Quarter } from "./quarter.ts";

export type ChosenRates = {
	/** of one tenant */
	each: Rates;
	/** the duration of a single sign-in; most of it is the hash */
	signInMs: number;
	/** maximum session checks per second of an otherwise idle server */
	sessionsAtMost: number;
};

/** The share of the processors for the sign-ins of all tenants. */
const HASHING_SHARE = 0.2;
/** The share of the maximum session checks for all tenants. */
const SESSION_SHARE = 0.1;
const PARALLEL = 16;

/** Rates at which this many tenants leave most of any machine idle. */
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
