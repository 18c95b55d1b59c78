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
	/** the plugin's own sources, or a copy with a defense taken out */
	source?: string;
	/** only these rounds, from an empty world: what a failure says to play again */
	replay?: { round: number };
	/** ends with the first leak */
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
	/** artefacts of one tenant presented in another */
	replays: number;
	rowsChanged: number;
	keysTouched: number;
	canaryChecks: number;
	/** what nobody caught inside the application */
	unhandled: string[];
	leaks: Leak[];
};

/** Plays the model against the running application: random operations of many tenants, each answer and write judged. */
export const runModel = async (options: ModelOptions): Promise<ModelResult> => {
	const {
		operations,
		tenants = 50,
		seed = Date.now() & 0x7fffffff,
		redis,
		source = OWN_SOURCE,
		failFast = true,
	} = options;
	// a run of nothing finds nothing, and must not look like a run that found nothing
	for (const [name, value] of Object.entries({ operations, tenants })) {
		if (!Number.isInteger(value) || value < 2)
			throw new Error(`runModel: ${name} is a whole number above 1, not ${value}`);
	}
	if (!Number.isInteger(seed)) throw new Error(`runModel: the seed is a whole number, not ${seed}`);
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
 * Many bounded rounds on one lasting world: a single list of a million commands could neither be held nor shrunk. Each
 * round has a seed of its own, so that it can be drawn again.
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
