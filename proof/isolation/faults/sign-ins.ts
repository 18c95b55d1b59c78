import { setTimeout as wait } from "node:timers/promises";
import type { Seeded } from "test-kit/load/seeded";
import { type Answer, PASSWORD, show, type Visitor } from "test-kit/load/visitor";

/** A tenant that will be deleted, and the sessions created before. */
export type Doomed = { tenantId: string; closed: boolean; visitors: Visitor[] };

type SignInsOptions = {
	/** requests per second */
	rate: number;
	/** a browser for one of the processes */
	at: (index: number) => Visitor;
	staying: string[];
	chance: Seeded;
};

/** The maximum of requests in flight: a slow machine sends fewer, and no request outlasts the drain time. */
const MOST_AT_ONCE = 24;
const MOST_VISITORS = 40;

/**
 * Sends sign-ins and sign-ups at a steady rate without waiting for responses: half to the remaining tenants, half to
 * the one being deleted. The remaining ones must not be affected.
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
			if (answer.status !== 200) violate(`a remaining tenant returned ${show(answer)}`);
			return;
		}
		if (!isFit(answer)) violate(`a tenant being deleted returned ${show(answer)}`);
		if (answer.status !== 200) return;
		if (wasClosed) violate("a user signed in to a tenant after its deletion was acknowledged");
		if (going.visitors.length < MOST_VISITORS) going.visitors.push(visitor);
	};

	const run = async (): Promise<void> => {
		for (let index = 0; !ended; index += 1) {
			// by the clock, so that late timers do not lower the rate
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
		/** Sets the tenant that gets half of the requests. */
		send: (to: Doomed | null): void => {
			doomed = to;
		},
		/** Waits until all requests are complete. */
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

/** A tenant being deleted may accept a request, return not found, reject unknown users, or ask to retry. */
const isFit = ({ status, code, failure }: Answer): boolean =>
	status === 200 ||
	(status >= 500 && failure === null) ||
	(status === 404 && code === "TENANT_NOT_FOUND") ||
	(status === 401 && code === "INVALID_EMAIL_OR_PASSWORD") ||
	(status === 403 && code === "REFERENCE_NOT_IN_TENANT");
