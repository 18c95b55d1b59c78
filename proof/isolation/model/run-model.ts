import fc from "fast-check";
import { OWN_SOURCE } from "../app/start-app.ts";
import { rounds } from "./arbitraries.ts";
import { createCatalogue } from "./catalogue.ts";
import { createPerformer, type Leak, LeakFound, type Performer } from "./perform.ts";
import { createModel, type Model } from "./state.ts";
import { startWorld } from "./world.ts";

export type ModelOptions = {
	operations: number;
	tenants?: number;
	/** the same seed, the same operations */
	seed?: number;
	redis: boolean;
	/** the plugin's sources, or a copy without one defense */
	source?: string;
	/** only these rounds, from an empty world, to repeat a failure */
	replay?: { round: number };
	/** stops at the first leak */
	failFast?: boolean;
	log?: (line: string) => void;
};

export type ModelResult = {
	operations: number;
	tenants: number;
	seed: number;
	redis: boolean;
	seconds: number;
	operationsPerSecond: number;
	byCommand: Record<string, { sent: number; succeeded: number }>;
	/** artifacts of one tenant presented in another */
	replays: number;
	rowsChanged: number;
	keysTouched: number;
	canaryChecks: number;
	/** unhandled errors in the application */
	unhandled: string[];
	leaks: Leak[];
};

/** Runs the model against the application: random operations of many tenants, with every response and write checked. */
export const runModel = async (options: ModelOptions): Promise<ModelResult> => {
	const {
		operations,
		tenants = 50,
		seed = Date.now() & 0x7fffffff,
		redis,
		source = OWN_SOURCE,
		failFast = true,
	} = options;
	// an empty run must not look like a run without findings
	for (const [name, value] of Object.entries({ operations, tenants })) {
		if (!Number.isInteger(value) || value < 2)
			throw new Error(`runModel: ${name} must be a whole number above 1, not ${value}`);
	}
	if (!Number.isInteger(seed)) throw new Error(`runModel: the seed must be a whole number, not ${seed}`);
	const log = options.log ?? ((line: string) => process.stderr.write(`${line}\n`));
	const world = await startWorld({ redis, source });
	const startedAt = Date.now();
	try {
		const model = createModel({ tenants });
		const performer = createPerformer({ model, world, catalogue: createCatalogue(world), failFast, operations });
		const progress = watchProgress(model, operations, log);
		try {
			await playRounds(model, performer, {
				operations,
				seed,
				...(options.replay ? { only: options.replay.round } : {}),
			});
		} catch (error) {
			if (!(error instanceof LeakFound)) throw error;
		} finally {
			clearInterval(progress);
		}
		for (const leak of performer.leaks.slice(0, 20)) log(describe(leak, { seed, operations, tenants, redis }));
		const unhandled = await world.app.call("unhandled").catch((error: unknown) => [String(error)]);
		if (unhandled.length > 0) log(`unhandled in the application: ${unhandled.slice(0, 3).join("\n")}`);
		const seconds = (Date.now() - startedAt) / 1000;
		return {
			operations: model.operations,
			tenants,
			seed,
			redis,
			seconds,
			operationsPerSecond: Math.round(model.operations / seconds),
			...performer.summary(),
			unhandled,
			leaks: performer.leaks,
		};
	} finally {
		await world.stop();
	}
};

type Play = { operations: number; seed: number; only?: number };

/**
 * Many bounded rounds on one persistent world: a single list of a million commands could neither be stored nor shrunk.
 * Each round has its own seed, so that it can be generated again.
 */
const playRounds = async (model: Model, performer: Performer, { operations, seed, only }: Play): Promise<void> => {
	for (let round = 0; model.operations < operations; round++) {
		performer.enterRound(round);
		const drawn = only === undefined || round === 0 ? round : only;
		const [commands] = fc.sample(rounds, { seed: (seed + Math.imul(drawn, 0x9e3779b1)) | 0, numRuns: 1 });
		if (commands) await fc.asyncModelRun(() => ({ model, real: performer }), commands);
	}
};

const watchProgress = (model: Model, operations: number, log: (line: string) => void): NodeJS.Timeout => {
	let before = 0;
	const timer = setInterval(() => {
		log(
			`${model.operations} of ${operations} operations, ${Math.round((model.operations - before) / 5)}/s, ${model.tenants.length - 1} tenants`,
		);
		before = model.operations;
	}, 5_000);
	timer.unref();
	return timer;
};

const describe = (leak: Leak, run: { seed: number; operations: number; tenants: number; redis: boolean }): string =>
	[
		`LEAK (${leak.kind}) in operation ${leak.operation}, round ${leak.round}, by ${leak.command}: ${leak.message}`,
		`  request: ${leak.request.slice(0, 600)}`,
		`  replay: pnpm isolation --operations ${leak.operation + 50} --tenants ${run.tenants} --seed ${run.seed}${run.redis ? " --redis" : ""}`,
	].join("\n");
