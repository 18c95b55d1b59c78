import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Spread, spread } from "test-kit/load/recovery";
import { newTenant, PASSWORD, pick, show, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { startStack } from "test-kit/service/stack";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";

export type SuspensionResult = {
	rounds: number;
	cacheMaxAgeSeconds: number;
	/** milliseconds from the response to the suspension until a kind of request is refused, by process */
	refusedAfterMs: Record<string, { here: Spread; there: Spread }>;
	/** what still worked after a restore that ended sessions, of all attempts */
	aliveAfterEnd: { attempts: number; alive: number };
};

const CACHE_SECONDS = 5;
const DRAIN_SECONDS = 6;
/** when to give up */
const GIVE_UP_MS = 60_000;

type Attempt = (visitor: Visitor, origin: string) => Promise<boolean>;

/** Suspends a tenant at one process, and sends every kind of request to both until they are refused. */
export const runSuspension = async ({ full, log }: RunOptions): Promise<Outcome<SuspensionResult>> => {
	const postgres = await startPostgres();
	const redis = await startRedis({ persistent: true });
	const wrong: string[] = [];
	const seen = new Map<string, { here: number[]; there: number[] }>();
	const total = { attempts: 0, alive: 0 };
	const stack = await startStack(SERVICE_MAIN, {
		DATABASE_URL: postgres.url,
		REDIS_URL: `redis://127.0.0.1:${redis.port}`,
		TENANT_CACHE_MAX_AGE: String(CACHE_SECONDS),
		DELETION_DRAIN_TIME: String(DRAIN_SECONDS),
		COOKIE_CACHE_MAX_AGE: "300",
		TENANT_LIFECYCLE: "true",
		PLUGINS: "jwt,bearer",
	}).catch(async (error) => {
		await redis.close();
		await postgres.close();
		throw error;
	});
	const [one = "", other = ""] = stack.services.map(({ origin }) => origin);
	const at = (origin: string, visitor?: Visitor) => new Visitor(() => origin, visitor?.browser.copy());

	/** Whether each kind of request works for a visitor who holds these. */
	const kinds = (tenantId: string): Record<string, Attempt> => ({
		"a session with its cookie cache": async (visitor) =>
			pick((await visitor.send("/get-session")).json, "user") != null,
		"a session without a cache": async (visitor) =>
			pick((await visitor.send("/get-session?disableCookieCache=true")).json, "user") != null,
		"a new JWT": async (visitor) => (await visitor.send("/token")).status === 200,
		"the key set for JWTs": async (visitor) => (await visitor.send(`/jwks?tenantId=${tenantId}`)).status === 200,
		"a sign-in": async (_visitor, origin) => {
			const body = { tenantId, email: "ada@example.com", password: PASSWORD };
			return (await at(origin).send("/tenant/sign-in/email", { body })).status === 200;
		},
	});

	/** The time until a request is refused, by the time it was sent: its response may be read late. */
	const untilRefused = async (what: string, origin: string, visitor: Visitor, works: Attempt): Promise<number> => {
		const began = performance.now();
		for (;;) {
			const asked = performance.now() - began;
			if (!(await works(at(origin, visitor), origin))) return asked;
			if (asked > GIVE_UP_MS) {
				wrong.push(`${what}: not refused after ${Math.round(asked)} ms`);
				return asked;
			}
			await wait(50);
		}
	};

	const rounds = full ? 10 : 2;
	try {
		for (let round = 1; round <= rounds; round += 1) {
			const id = () => newTenant(at(one), `suspension-${round}-${randomBytes(3).toString("hex")}`);
			const [tenantId, neighborId] = [await id(), await id()];
			const signUp = async (tenant: string): Promise<Visitor> => {
				const person = at(one);
				const body = { tenantId: tenant, name: "Ada", email: "ada@example.com", password: PASSWORD };
				const made = await person.send("/tenant/sign-up/email", { body });
				if (made.status !== 200) wrong.push(`a sign-up: ${show(made)}`);
				return person;
			};
			const [person, neighbor] = [await signUp(tenantId), await signUp(neighborId)];
			for (const [what, works] of Object.entries(kinds(tenantId)))
				for (const origin of [one, other])
					if (!(await works(at(origin, person), origin))) wrong.push(`${what} does not work before the suspension`);
			const body = { tenantId, reason: "measured" };
			const suspended = await at(one).send("/tenant/suspend", { operator: true, body });
			if (suspended.status !== 200) wrong.push(`a suspension: ${show(suspended)}`);
			await Promise.all(
				Object.entries(kinds(tenantId)).map(async ([what, works]) => {
					const times = seen.get(what) ?? { here: [], there: [] };
					seen.set(what, times);
					const [here, there] = await Promise.all([
						untilRefused(what, one, person, works),
						untilRefused(what, other, person, works),
					]);
					times.here.push(here);
					times.there.push(there);
					if (full && there > CACHE_SECONDS * 1000 + 1_000)
						wrong.push(`${what}: refused after ${Math.round(there)} ms`);
				}),
			);
			const restored = await at(other).send("/tenant/restore", {
				operator: true,
				body: { tenantId, endSessions: true },
				patienceMs: 60_000,
			});
			if (restored.status !== 200) wrong.push(`a restore: ${show(restored)}`);
			for (const [what, works] of Object.entries(kinds(tenantId)).slice(0, 3))
				for (const origin of [one, other]) {
					total.attempts += 1;
					if (!(await works(at(origin, person), origin))) continue;
					total.alive += 1;
					wrong.push(`${what} works after its end`);
				}
			for (const [what, works] of Object.entries(kinds(neighborId)))
				for (const origin of [one, other])
					if (!(await works(at(origin, neighbor), origin))) wrong.push(`${what} of the neighbor does not work`);
			log(`round ${round} of ${rounds}`);
		}
		const refusedAfterMs = Object.fromEntries(
			[...seen].map(([what, { here, there }]) => [what, { here: spread(here), there: spread(there) }]),
		);
		return {
			result: { rounds, cacheMaxAgeSeconds: CACHE_SECONDS, refusedAfterMs, aliveAfterEnd: total },
			wrong,
			lines: [
				...Object.entries(refusedAfterMs).map(
					([what, { here, there }]) =>
						`${what} is refused after at most ${here.most} ms at the same process and ${there.most} ms at the other`,
				),
				`after a restore that ended sessions, ${total.alive} of ${total.attempts} attempts with old sessions succeeded`,
			],
		};
	} finally {
		await stack.close();
		await redis.close();
		await postgres.close();
	}
};
