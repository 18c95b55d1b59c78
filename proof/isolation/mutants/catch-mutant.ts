import { createDatabase } from "test-kit/run-database";
import { startApp } from "../app/start-app.ts";
import type { Leak } from "../model/perform.ts";
import { runModel } from "../model/run-model.ts";
import type { Defense, ModelDefense, TestDefense } from "./defense.ts";
import type { Copy } from "./plant-mutant.ts";
import { runTests } from "./run-tests.ts";

/** What caught a mutant; a null finding means that nothing did. */
export type Catch = {
	finding: string | null;
	/** the model's operations until then; null for tests */
	operations: number | null;
};

/** The settings of the model, the same for the unchanged sources and every mutant. */
export type ModelRun = { operations: number; tenants: number; seed: number };

/** Runs what is meant to catch a mutant. */
export const catchMutant = (defense: Defense, copy: Copy, run: ModelRun): Promise<Catch> =>
	defense.caughtBy === "model" ? catchByModel(defense, copy, run) : catchByTests(defense, copy);

const catchByModel = async ({ redis = false }: ModelDefense, { source }: Copy, run: ModelRun): Promise<Catch> => {
	const refused = await startOnce(source);
	if (refused) return { finding: refused, operations: 0 };
	const { leaks, operations } = await runModel({ ...run, redis, source, failFast: true, log: () => {} });
	const [first] = leaks;
	return first ? { finding: describeLeak(first), operations: first.operation } : { finding: null, operations };
};

/** A mutant that the plugin refuses to start counts as caught. Any other failure makes it invalid. */
const startOnce = async (source: string): Promise<string | null> => {
	const database = await createDatabase();
	try {
		const app = await startApp({ databaseURL: database.url, source, hashing: "cheap" });
		await app.stop();
		return null;
	} catch (error) {
		const [refusal] = String(error).match(/tenantAuth refuses to start:\s+- .+/) ?? [];
		if (!refusal) throw error;
		return refusal.replace(/\s+/g, " ").slice(0, 300);
	} finally {
		await database.drop();
	}
};

const catchByTests = async ({ files, named }: TestDefense, { root }: Copy): Promise<Catch> => {
	const { failed, broken, ran, output } = await runTests(root, { files, named, workers: 1, bail: true });
	// a file that cannot be loaded shows nothing about a defense
	if (failed.length === 0 && broken.length > 0) throw new Error(`${broken.join("\n")}\n${output.slice(-2000)}`);
	if (ran === 0) throw new Error(`No test in ${files.join(", ")} is named "${named}"`);
	return { finding: failed[0] ?? null, operations: null };
};

/** A finding contains the whole response; its first line is enough. */
const HEADERS = /\n[\s\S]*?(?= instead of |: .+ expected$|$)/;

/** A leak in one line. */
export const describeLeak = ({ kind, command, message }: Leak): string =>
	`${kind}: ${command} ${message.replace(HEADERS, "")}`.slice(0, 300);
