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

export type OtherProcessResult = {
	rounds: number;
	cacheMaxAgeSeconds: number;
	/** milliseconds from the response of one process until the other applies it */
	inForceAfterMs: Record<string, Spread>;
};

const CACHE_SECONDS = 5;
/** when to give up on a change */
const GIVE_UP_MS = 120_000;

/** Makes changes at one process and polls the other until it applies them. */
export const runOtherProcess = async ({ full, log }: RunOptions): Promise<Outcome<OtherProcessResult>> => {
	const postgres = await startPostgres();
	const redis = await startRedis({ persistent: true });
	const wrong: string[] = [];
	const seen = new Map<string, number[]>();
	const stack = await startStack(SERVICE_MAIN, {
		DATABASE_URL: postgres.url,
		REDIS_URL: `redis://127.0.0.1:${redis.port}`,
		TENANT_CACHE_MAX_AGE: String(CACHE_SECONDS),
		DELETION_DRAIN_TIME: "6",
	}).catch(async (error) => {
		await redis.close();
		await postgres.close();
		throw error;
	});
	const [one, other] = stack.services.map(({ origin }) => origin);
	const here = (person?: Visitor) => new Visitor(() => one ?? "", person?.browser.copy());
	const there = () => new Visitor(() => other ?? "");
	/** The time until the other process applies a change. A full run, alone on a machine, enforces the bound. */
	const measure = async (what: string, boundMs: number, agrees: () => Promise<boolean>): Promise<void> => {
		const began = performance.now();
		for (;;) {
			// by the time of the request: the response may have been in time and read late
			const asked = performance.now() - began;
			if (await agrees()) break;
			if (asked > (full ? boundMs + 1_000 : GIVE_UP_MS)) {
				wrong.push(`${what}: not applied after ${Math.round(asked)} ms`);
				return;
			}
			await wait(20);
		}
		seen.set(what, [...(seen.get(what) ?? []), performance.now() - began]);
	};
	const cached = CACHE_SECONDS * 1000;
	const rounds = full ? 20 : 3;
	try {
		for (let round = 1; round <= rounds; round += 1) {
			const tenantId = await newTenant(here(), `process-${round}-${randomBytes(3).toString("hex")}`);
			const body = { tenantId, name: "Ada", email: "ada@example.com", password: PASSWORD };
			const person = there();
			await measure(
				"a new tenant",
				0,
				async () => (await person.send("/tenant/sign-up/email", { body })).status === 200,
			);
			const before = person.copy();
			const session = await here(before).send("/get-session");
			if (session.json === null) wrong.push(`a session of the other process: ${show(session)}`);
			await here(before).send("/sign-out", { body: {} });
			await measure("a sign-out", 0, async () => (await before.copy().send("/get-session")).json === null);

			const register = (clientId: string) =>
				here().send("/tenant/oauth-config/register", {
					operator: true,
					body: { tenantId, providerId: "github", clientId, clientSecret: "secret-of-a-client" },
				});
			const clientAt = async (): Promise<string | null> => {
				const answer = await there().send("/tenant/sign-in/social", { body: { tenantId, provider: "github" } });
				return URL.parse(String(pick(answer.json, "url")))?.searchParams.get("client_id") ?? null;
			};
			await clientAt();
			await register("client-one");
			await measure("a new OAuth config", cached, async () => (await clientAt()) === "client-one");
			await register("client-two");
			await measure("a changed OAuth config", cached, async () => (await clientAt()) === "client-two");
			await here().send("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "github" } });
			await measure("a deleted OAuth config", cached, async () => (await clientAt()) === null);

			const again = there();
			await again.send("/tenant/sign-in/email", { body: { tenantId, email: body.email, password: PASSWORD } });
			const deleting = here().send("/tenant/delete", { operator: true, body: { tenantId }, patienceMs: 60_000 });
			await measure("a deletion, from its beginning", cached, async () => {
				const answer = await again.copy().send("/get-session");
				return answer.status === 404 || answer.json === null;
			});
			const deleted = await deleting;
			if (deleted.status !== 200) wrong.push(`a deletion: ${show(deleted)}`);
			log(`round ${round} of ${rounds}`);
		}
		const inForceAfterMs = Object.fromEntries([...seen].map(([what, times]) => [what, spread(times)]));
		return {
			result: { rounds, cacheMaxAgeSeconds: CACHE_SECONDS, inForceAfterMs },
			wrong,
			lines: Object.entries(inForceAfterMs).map(
				([what, { median, most }]) =>
					`${what} is in force at the other process after ${median} ms (at most ${most} ms)`,
			),
		};
	} finally {
		await stack.close();
		await redis.close();
		await postgres.close();
	}
};
