import { countRowsOf } from "test-kit/load/invariants";
import { signIn } from "../neighbors/household-streams.ts";
import { orThrow, textOf } from "../server/client.ts";
import type { Sample } from "../server/open-loop.ts";
import type { ServerLoad } from "../server/watch-load.ts";
import { fillSessionKeys, fillSessionRows } from "./fill-sessions.ts";
import { measureIdle, measureStep } from "./measure-step.ts";
import { type Compared, compareOthers, type Others, othersOf } from "./others.ts";
import { BATCH, type Census, personOf } from "./person.ts";
import { KEY_PREFIX, type Stage } from "./stage.ts";
import type { Memory } from "./watch-memory.ts";

const STEPS = ["import", "export", "deletion"] as const;

export type Step = {
	step: (typeof STEPS)[number];
	seconds: number;
	usersPerSecond: number;
	memory: Memory;
	others: Compared;
	server: ServerLoad;
};

export type Move = {
	steps: Step[];
	/** the other tenant before each step, idle */
	idle: Others;
	sent: Census;
	received: Census;
	/** that existed before the deletion */
	sessions: number;
	/** what the deletion left: rows by table, and keys */
	left: Record<string, number>;
};

export type MoveOptions = {
	users: number;
	name: string;
	idleSeconds: number;
	memoryEveryMs: number;
	log: (line: string) => void;
};

/** Imports a tenant, exports it completely and deletes it, and measures the effect on another tenant. */
export const moveTenant = async (stage: Stage, options: MoveOptions): Promise<Move> => {
	const { client, pool, redis } = stage;
	const { users, name, idleSeconds, memoryEveryMs, log } = options;
	const made = await client.send("/tenant/create", { operator: true, body: { name, slug: name } });
	const tenantId = textOf(orThrow(made), "id");
	const work = workOf(stage, { ...options, tenantId });
	const idle: Sample[] = [];
	const steps: (Omit<Step, "others"> & { samples: Sample[] })[] = [];
	let sessions = 0;
	for (const step of STEPS) {
		if (step === "deletion") {
			// an imported user signs in, and all others get a copy of that session
			orThrow(await signIn(client, tenantId, personOf(name, 0).email));
			sessions = redis
				? await fillSessionKeys({ redis, prefix: KEY_PREFIX, tenantId, people: { prefix: name, count: users } })
				: await fillSessionRows(pool, tenantId);
		}
		idle.push(...(await measureIdle(stage, { seconds: idleSeconds, memoryEveryMs })).samples);
		const measured = await measureStep(stage, { memoryEveryMs, work: work[step] });
		steps.push({ step, usersPerSecond: Math.round(users / measured.seconds), ...measured });
		log(`${step} of ${users} users: ${measured.seconds} s, heap ${measured.memory.lastQuarterMB} MB`);
	}
	const query = async (sql: string, values: unknown[] = []) =>
		(await pool.query<Record<string, unknown>>(sql, values)).rows;
	const left = await countRowsOf(query, tenantId);
	const [row] = await query(`select count(*)::int as n from "tenant" where "id" = $1`, [tenantId]);
	if (row?.n) left.tenant = Number(row.n);
	const keys = (await redis?.keys(`${KEY_PREFIX}*${tenantId}*`)) ?? [];
	if (keys.length > 0) left["keys in Redis"] = keys.length;
	const idleTimes = othersOf(idle);
	return {
		steps: steps.map(({ samples, ...step }) => ({ ...step, others: compareOthers(othersOf(samples), idleTimes) })),
		idle: idleTimes,
		...work.censuses(),
		sessions,
		left,
	};
};

/** Requests of the mover between two log lines. */
const AT_A_TIME = 20;
const LOG_EVERY_MS = 5_000;

const workOf = (
	{ mover, server: { origin } }: Stage,
	{ users, name, tenantId, log }: MoveOptions & { tenantId: string },
) => {
	const none: Census = { people: 0, accounts: 0, sum: "" };
	let sent = none;
	let received = none;
	return {
		import: async (): Promise<void> => {
			for (let from = 0; from < users; from += AT_A_TIME * BATCH) {
				const to = Math.min(from + AT_A_TIME * BATCH, users);
				sent = await mover.call("importUsers", { origin, tenantId, prefix: name, from, to });
				log(`${to} of ${users} users imported`);
			}
		},
		export: async (): Promise<void> => {
			for (
				let query: string | null = `?tenantId=${tenantId}&limit=${BATCH}`, first = true;
				query !== null;
				first = false
			) {
				const page: { query: string | null; census: Census } = await mover.call("exportUsers", {
					origin,
					query,
					pages: AT_A_TIME,
					first,
				});
				({ query, census: received } = page);
				log(`${received.people} of ${users} users exported`);
			}
		},
		deletion: async (): Promise<void> => {
			const began = performance.now();
			const timer = setInterval(
				() => log(`${users} users being deleted for ${Math.round((performance.now() - began) / 1000)} s`),
				LOG_EVERY_MS,
			);
			await mover.call("deleteTenant", { origin, tenantId }).finally(() => clearInterval(timer));
		},
		censuses: () => ({ sent, received }),
	};
};
