import { setTimeout as wait } from "node:timers/promises";
import { startIdentityProvider } from "test-kit/identity-provider";
import { findHalfMade } from "test-kit/load/invariants";
import { isTooSlow, type Judged, type Spread, spread } from "test-kit/load/recovery";
import { type Seeded, seeded } from "test-kit/load/seeded";
import { createDatabase } from "test-kit/run-database";
import type { AppSettings } from "../../app/settings.ts";
import { OWN_SOURCE, type RunningApp, startApp } from "../../app/start-app.ts";
import { type StatementProxy, shorten, startStatementProxy } from "../statement-proxy.ts";
import { callback } from "./callback.ts";
import { deletion } from "./deletion.ts";
import { reencrypt } from "./reencrypt.ts";
import type { Attempt, Scene } from "./scenario.ts";
import { signUp } from "./sign-up.ts";

export type KillsOptions = Judged & { points: number; seed: number; log: (line: string) => void; source?: string };

type Landed = { points: number; beforeAnswer: number; afterAnswer: number; atStatement: Record<string, number> };
export type KillsResult = {
	seed: number;
	points: number;
	/** where the kills landed, by operation */
	landed: Record<string, Landed>;
	/** until the next process listens: mostly load time */
	startMs: Spread;
	/** from the kill to the first success, including startup and its checks */
	recoveryMs: Spread;
	violations: string[];
};

const SECRETS = ["Old-k3v9qT1xW8rB5nM2pL7sD4gH6jC0", "New-aB5nM2pL7sD4gH6jC0yAeZk3v9q"];
/** the longest a kill may come after the usual duration */
const BEYOND = 1.2;

/**
 * Ends the application with SIGKILL at random points of sign-up, callback, deletion and re-encryption: half of them at
 * a random moment, half at a random statement, before it reaches the database or before its result returns.
 */
export const runKills = async ({
	points,
	seed,
	byTime,
	log,
	source = OWN_SOURCE,
}: KillsOptions): Promise<KillsResult> => {
	const chance = seeded(seed);
	const database = await createDatabase();
	const idp = await startIdentityProvider();
	const { hostname, port } = new URL(database.url);
	const proxy = await startStatementProxy({ host: hostname, port: Number(port || 5432) });
	let app: RunningApp | null = null;
	const running = (): RunningApp => {
		if (!app) throw new Error("the application is not running");
		return app;
	};
	const through = new URL(database.url);
	through.host = `127.0.0.1:${proxy.port}`;
	const settings: AppSettings = {
		databaseURL: through.href,
		source,
		hashing: "cheap",
		tenantCacheMaxAge: 0.2,
		deletionDrainTime: 0.3,
		deletionBatchSize: 20,
		secrets: SECRETS,
	};
	const result: KillsResult = {
		seed,
		points: 0,
		landed: {},
		startMs: spread([]),
		recoveryMs: spread([]),
		violations: [],
	};
	try {
		app = await startApp({ ...settings, secrets: SECRETS.slice(0, 1) });
		const again = { ...settings, port: Number(new URL(app.origin).port), skipMigrations: true };
		const restart = async (): Promise<void> => {
			await app?.kill();
			app = await startApp(again);
		};
		let names = 0;
		const scene: Scene = {
			app: running,
			origin: () => running().origin,
			query: database.query,
			idp,
			fresh: (kind) => `${kind}-${++names}`,
		};
		// registered before the application is started with the new secret
		const sealed = reencrypt(async (_scene, register) => {
			await register();
			await restart();
		});
		const scenarios: { name: string; prepare: () => Promise<Attempt>; usual: Usual }[] = [];
		for (const { name, begin } of [sealed, signUp, callback, deletion]) {
			const prepare = await begin(scene);
			scenarios.push({ name, prepare, usual: await measure(name, prepare, proxy) });
			log(`${name}: ${JSON.stringify(scenarios.at(-1)?.usual)}`);
		}

		const starts: number[] = [];
		const recoveries: number[] = [];
		const strike = async (attempt: Attempt, at: Drawn) => {
			const killed = await killDuring(attempt, at, proxy, running());
			const killedAt = performance.now();
			await restart();
			starts.push(performance.now() - killedAt);
			const [warm] = scenarios.filter(({ name }) => name === "sign-up");
			const alive = (await (await warm?.prepare())?.run()) ?? false;
			const recovery = performance.now() - killedAt;
			recoveries.push(recovery);
			return { ...killed, alive, recovery };
		};
		const known = new Set<string>();
		for (let point = 0; point < points; point += 1) {
			const scenario = scenarios[point % scenarios.length];
			if (!scenario) break;
			const attempt = await scenario.prepare();
			const at = draw(chance, scenario.usual);
			const { acknowledged, beforeAnswer, last, alive, recovery } = await strike(attempt, at);
			const complaints = [
				...(alive ? [] : ["the next process cannot sign a user up"]),
				...(await findHalfMade(database.query)),
				...(await attempt.inspect(acknowledged)),
				...(await findHalfMade(database.query)),
			];
			// the machine may have stalled: a slow recovery is slow again when killed at the same point
			let fastest = recovery;
			for (let again = 0; again < 2 && isTooSlow(fastest, { byTime }); again += 1) {
				const repeated = await scenario.prepare();
				const struck = await strike(repeated, at);
				fastest = Math.min(fastest, struck.recovery);
				complaints.push(...(await repeated.inspect(struck.acknowledged)));
			}
			if (isTooSlow(fastest, { byTime })) complaints.push(`it took ${Math.round(fastest)} ms to recover, three times`);
			complaints.push(...(await running().call("unhandled")));
			const where = `point ${point}, ${scenario.name}, ${JSON.stringify(at)}, after "${last}"`;
			for (const complaint of complaints) {
				// leftovers of one kill are found again after every other
				if (known.has(complaint)) continue;
				known.add(complaint);
				result.violations.push(`${where}: ${complaint}`);
			}
			result.points += 1;
			const landed = result.landed[scenario.name] ?? { points: 0, beforeAnswer: 0, afterAnswer: 0, atStatement: {} };
			result.landed[scenario.name] = landed;
			landed.points += 1;
			landed[beforeAnswer ? "beforeAnswer" : "afterAnswer"] += 1;
			landed.atStatement[last] = (landed.atStatement[last] ?? 0) + 1;
			log(`${where}: ${beforeAnswer ? "before" : "after"} the answer, ${complaints[0] ?? "no complaints"}`);
		}
		result.startMs = spread(starts);
		result.recoveryMs = spread(recoveries);
	} finally {
		await app?.kill();
		await proxy.close();
		await idp.close();
		await database.drop();
	}
	return result;
};

type Usual = { ms: number; statements: number };
type Drawn = { afterMs: number } | { statement: number; side: "before" | "after" };

/** Measures the duration without a kill, and checks that the inspection finds nothing then. */
const measure = async (name: string, prepare: () => Promise<Attempt>, proxy: StatementProxy): Promise<Usual> => {
	let usual: Usual = { ms: 0, statements: 0 };
	for (let run = 0; run < 3; run += 1) {
		const attempt = await prepare();
		proxy.begin();
		const began = performance.now();
		const done = await attempt.run();
		usual = { ms: performance.now() - began, statements: proxy.statements().length };
		const complaints = await attempt.inspect(done);
		if (!done || complaints.length > 0)
			throw new Error(`${name} fails undisturbed: ${complaints.join("; ") || "refused"}`);
	}
	return usual;
};

const draw = (chance: Seeded, usual: Usual): Drawn =>
	chance.fraction() < 0.5
		? { afterMs: Math.round(chance.fraction() * usual.ms * BEYOND * 10) / 10 }
		: { statement: chance.whole(1, usual.statements + 1), side: chance.fraction() < 0.5 ? "before" : "after" };

const killDuring = async (attempt: Attempt, at: Drawn, proxy: StatementProxy, app: RunningApp) => {
	let settled = false;
	let beforeAnswer = false;
	let killing: Promise<void> | null = null;
	const kill = (): void => {
		if (killing) return;
		beforeAnswer = !settled;
		killing = app.kill();
	};
	if ("statement" in at) proxy.begin(at, kill);
	else proxy.begin();
	const run = attempt.run().catch(() => false);
	const timer = "afterMs" in at ? wait(at.afterMs).then(kill) : null;
	const acknowledged = await run;
	settled = true;
	await timer;
	// the statement was never sent
	kill();
	await killing;
	const last = shorten(proxy.statements().at(-1) ?? "none");
	// the next process gets all statements
	proxy.begin();
	return { acknowledged, beforeAnswer, last };
};
