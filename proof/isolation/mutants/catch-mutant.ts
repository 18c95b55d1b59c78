import { createDatabase } from "test-kit/run-database";
import { startApp } from "../app/start-app.ts";
import type { Leak } from "../model/perform.ts";
import { runModel } from "../model/run-model.ts";
import type { Defence, ModelDefence, TestDefence } from "./defence.ts";
import type { Copy } from "./plant-mutant.ts";
import { runTests } from "./run-tests.ts";

/** What caught a mutant; nothing did where the finding is null. */
export type Catch = {
	finding: string | null;
	/** the model's operations until then; tests have none */
	operations: number | null;
};

/** What the model is run with: the same for the unchanged sources and for every mutant. */
export type ModelRun = { operations: number; tenants: number; seed: number };

/** Looks for a mutant in the way that is meant to find it. */
export const catchMutant = (defence: Defence, copy: Copy, run: ModelRun): Promise<Catch> =>
	defence.caughtBy === "model" ? catchByModel(defence, copy, run) : catchByTests(defence, copy);

const catchByModel = async ({ redis = false }: ModelDefence, { source }: Copy, run: ModelRun): Promise<Catch> => {
	const refused = await startOnce(source);
	if (refused) return { finding: refused, operations: 0 };
	const { leaks, operations } = await runModel({ ...run, redis, source, failFast: true, log: () => {} });
	const [first] = leaks;
	return first ? { finding: describeLeak(first), operations: first.operation } : { finding: null, operations };
};

/** A mutant that the plugin itself refuses to start is caught; one that fails otherwise is no mutant. */
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

const catchByTests = async ({ files, named }: TestDefence, { root }: Copy): Promise<Catch> => {
	const { failed, broken, ran, output } = await runTests(root, { files, named, workers: 1, bail: true });
	// a file that cannot be loaded says nothing about a defence
	if (failed.length === 0 && broken.length > 0) throw new Error(`${broken.join("\n")}\n${output.slice(-2000)}`);
	if (ran === 0) throw new Error(`No test in ${files.join(", ")} is named "${named}"`);
	return { finding: failed[0] ?? null, operations: null };
};

/** An answer is told with everything in it; its first line is enough. */
const HEADERS = /\n[\s\S]*?(?= instead of |: .+ expected$|$)/;

/** A leak in one line. */
export const describeLeak = ({ kind, command, message }: Leak): string =>
	`${kind}: ${command} ${message.replace(HEADERS, "")}`.slice(0, 300);
