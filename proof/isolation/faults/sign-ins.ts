import { setTimeout as wait } from "node:timers/promises";
import type { Seeded } from "test-kit/load/seeded";
import { type Answer, PASSWORD, show, type Visitor } from "test-kit/load/visitor";

/** A tenant that is about to go, and who signed in to it before it went. */
export type Doomed = { tenantId: string; closed: boolean; visitors: Visitor[] };

type SignInsOptions = {
	/** requests a second */
	rate: number;
	/** a browser in front of one of the processes */
	at: (index: number) => Visitor;
	staying: string[];
	chance: Seeded;
};

/** How many may be under way: a machine that cannot keep up sends fewer, and no request outlasts the grace period. */
const MOST_AT_ONCE = 24;
const MOST_VISITORS = 40;

/**
 * Sends sign-ins and sign-ups at a steady rate, not waiting for answers: half to the tenants that stay, half to the one
 * that goes. Those that stay must not notice.
 */
export const startSignIns = ({ rate, at, staying, chance }: SignInsOptions) => {
	let doomed: Doomed | null = null;
	let ended = false;
	let sent = 0;
	let slowest = 0;
	const began = performance.now();
	const underWay = new Set<Promise<void>>();
	const figures = { going: {} as Record<string, number>, staying: {} as Record<string, number> };
	const stayingMs: number[] = [];
	const violations = new Map<string, number>();
	const violate = (what: string): void => void violations.set(what, (violations.get(what) ?? 0) + 1);

	const signIn = async (index: number, going: Doomed | null): Promise<void> => {
		const visitor = at(index);
		const tenantId = going?.tenantId ?? staying[index % staying.length] ?? "";
		const isNew = chance.fraction() < 0.3;
		const wasClosed = going?.closed;
		const email = isNew ? `new-${index}@example.com` : "ada@example.com";
		const answer = await visitor.send(isNew ? "/tenant/sign-up/email" : "/tenant/sign-in/email", {
			body: { tenantId, email, password: PASSWORD, ...(isNew ? { name: "N" } : {}) },
		});
		slowest = Math.max(slowest, answer.ms);
		const counted = going ? figures.going : figures.staying;
		const name = `${isNew ? "sign-up" : "sign-in"} ${answer.status || answer.failure} ${answer.code ?? ""}`.trim();
		counted[name] = (counted[name] ?? 0) + 1;
		if (!going) {
			stayingMs.push(answer.ms);
			if (answer.status !== 200) violate(`a tenant that stays answers ${show(answer)}`);
			return;
		}
		if (!isFit(answer)) violate(`a tenant that goes answers ${show(answer)}`);
		if (answer.status !== 200) return;
		if (wasClosed) violate("somebody signs in to a tenant whose deletion was acknowledged");
		if (going.visitors.length < MOST_VISITORS) going.visitors.push(visitor);
	};

	const run = async (): Promise<void> => {
		for (let index = 0; !ended; index += 1) {
			// against the clock, so that late timers do not lower the rate
			await wait(Math.max(began + (index * 1000) / rate - performance.now(), 0));
			if (underWay.size >= MOST_AT_ONCE) continue;
			sent += 1;
			const request = signIn(index, index % 4 < 2 ? doomed : null).finally(() => underWay.delete(request));
			underWay.add(request);
		}
	};
	const running = run();
	const settled = async (): Promise<void> => void (await Promise.all(underWay));

	return {
		/** The tenant that half of them go to from now on. */
		send: (to: Doomed | null): void => {
			doomed = to;
		},
		/** Until everything that was sent is answered. */
		settled,
		end: async (): Promise<void> => {
			ended = true;
			await running;
			await settled();
		},
		seen: () => ({
			...figures,
			stayingMs,
			slowest: Math.round(slowest),
			rate: Math.round(sent / ((performance.now() - began) / 1000)),
			violations: [...violations].map(([what, times]) => `${times} × ${what}`),
		}),
	};
};

/** In a tenant that goes one is let in, told that it is not there, that one is not known there, or to come again. */
const isFit = ({ status, code, failure }: Answer): boolean =>
	status === 200 ||
	(status >= 500 && failure === null) ||
	(status === 404 && code === "TENANT_NOT_FOUND") ||
	(status === 401 && code === "INVALID_EMAIL_OR_PASSWORD") ||
	(status === 403 && code === "REFERENCE_NOT_IN_TENANT");
