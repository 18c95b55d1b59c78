import { setTimeout as wait } from "node:timers/promises";
import { findHalfMade } from "test-kit/load/invariants";
import { type Spread, spread } from "test-kit/load/recovery";
import { seeded } from "test-kit/load/seeded";
import { newTenant, PASSWORD, show, Visitor } from "test-kit/load/visitor";
import { createDatabase } from "test-kit/run-database";
import { startRedis } from "test-kit/servers/redis-server";
import { OWN_SOURCE, type RunningApp, startApp } from "../app/start-app.ts";
import { fillTenant } from "./fill-tenant.ts";
import { type Doomed, startSignIns } from "./sign-ins.ts";

export type DeletionOptions = {
	/** tenants to delete, half of them with sessions in Redis */
	deletions: number;
	seed: number;
	log: (line: string) => void;
	source?: string;
};

type Part = {
	sessions: "in the database" | "in Redis";
	deletions: number;
	/** requests per second that were sent: as many as wanted, unless the machine is too slow */
	rate: number;
	wantedRate: number;
	/** the responses, in deleted and in other tenants */
	going: Record<string, number>;
	staying: Record<string, number>;
	stayingMs: Spread;
	deletionMs: Spread;
	/** must be below the drain time minus the cache's age */
	slowestAnswerMs: number;
};
export type DeletionResult = { seed: number; parts: Part[]; violations: string[] };

const RATE = 100;
/** long enough that the other process accepts many requests after the tenant closed */
const MAX_AGE = 2;
/** and long enough for the slowest request of a machine that stalls for seconds */
const DRAIN_TIME = 12;
const PEOPLE = 60;

/** Deletes tenants during 100 sign-ins and sign-ups per second, in these and other tenants, at two processes. */
export const runDeletionUnderLoad = async ({
	deletions,
	seed,
	log,
	source = OWN_SOURCE,
}: DeletionOptions): Promise<DeletionResult> => {
	const result: DeletionResult = { seed, parts: [], violations: [] };
	const halves = [
		["in the database", Math.ceil(deletions / 2)],
		["in Redis", Math.floor(deletions / 2)],
	] as const;
	for (const [sessions, count] of halves) {
		if (count === 0) continue;
		const { part, violations } = await deleteWith({ sessions, count, seed, source, log });
		result.parts.push(part);
		result.violations.push(...violations.map((violation) => `sessions ${sessions}: ${violation}`));
	}
	return result;
};

type With = { sessions: Part["sessions"]; count: number; seed: number; source: string; log: (line: string) => void };

const deleteWith = async ({ sessions, count, seed, source, log }: With) => {
	const database = await createDatabase();
	const redis = sessions === "in Redis" ? await startRedis({ persistent: true }) : null;
	const apps: RunningApp[] = [];
	let endSignIns = async (): Promise<void> => {};
	try {
		const settings = {
			databaseURL: database.url,
			source,
			hashing: "cheap" as const,
			tenantCacheMaxAge: MAX_AGE,
			deletionDrainTime: DRAIN_TIME,
			deletionBatchSize: 20,
			...(redis ? { redis: { url: `redis://127.0.0.1:${redis.port}`, prefix: "faults:" } } : {}),
		};
		apps.push(await startApp(settings));
		apps.push(await startApp({ ...settings, skipMigrations: true }));
		const origins = apps.map(({ origin }) => origin);
		const at = (index: number) => new Visitor(() => origins[index % origins.length] ?? "");
		const prepare = async (slug: string): Promise<string> => {
			const tenantId = await newTenant(at(0), slug);
			await fillTenant(database.query, tenantId, PEOPLE);
			const body = { tenantId, name: "Ada", email: "ada@example.com", password: PASSWORD };
			await at(0).send("/tenant/sign-up/email", { body });
			return tenantId;
		};
		const staying = [await prepare("stays-a"), await prepare("stays-b")];
		const signIns = startSignIns({ rate: RATE, at, staying, chance: seeded(seed) });
		endSignIns = signIns.end;
		await wait(1_000);

		const violations: string[] = [];
		const took: number[] = [];
		for (let deletion = 0; deletion < count; deletion += 1) {
			const doomed: Doomed = { tenantId: await prepare(`goes-${deletion}`), closed: false, visitors: [] };
			signIns.send(doomed);
			await wait(700);
			const removed = await at(deletion).send("/tenant/delete", {
				operator: true,
				body: { tenantId: doomed.tenantId },
				patienceMs: 120_000,
			});
			took.push(removed.ms);
			if (removed.status !== 200) violations.push(`the deletion returned ${show(removed)}`);
			doomed.closed = true;
			// users keep trying for a moment
			await wait(500);
			signIns.send(null);
			await signIns.settled();
			violations.push(...(await findHalfMade(database.query)));
			const keys = (await redis?.keys())?.filter((key) => key.includes(doomed.tenantId)) ?? [];
			if (keys.length > 0) violations.push(`${keys.length} keys in Redis are left, for instance ${keys[0]}`);
			for (const [index, visitor] of doomed.visitors.entries()) {
				const session = await visitor.send("/get-session");
				if (session.status !== 200 || session.json !== null)
					violations.push(`session ${index} of a deleted tenant got ${show(session)}`);
			}
			log(
				`deletion ${deletion + 1} of ${count}, sessions ${sessions}: ${Math.round(removed.ms)} ms, ${doomed.visitors.length} had signed in, ${violations.length} complaints so far`,
			);
		}
		await endSignIns();
		for (const app of apps) violations.push(...(await app.call("unhandled")));
		const seen = signIns.seen();
		const part: Part = {
			sessions,
			deletions: count,
			rate: seen.rate,
			wantedRate: RATE,
			going: seen.going,
			staying: seen.staying,
			stayingMs: spread(seen.stayingMs),
			deletionMs: spread(took),
			slowestAnswerMs: seen.slowest,
		};
		return { part, violations: [...violations, ...seen.violations] };
	} finally {
		await endSignIns();
		for (const app of apps) await app.kill();
		await redis?.close();
		await database.drop();
	}
};
