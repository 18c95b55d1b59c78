import { readFileSync } from "node:fs";
import * as z from "zod";

/** How many tests of a part passed and failed. */
export type Count = { passed: number; failed: number };

export type Part = {
	name: string;
	/** what it is called in the documents */
	title: string;
	/** The command, which writes what it counted to a file. */
	command: (file: string) => string[];
	count: (file: string) => Count;
};

const report = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), success: z.boolean() });
const outcomes = z.array(z.object({ outcome: z.enum(["passed", "deviates", "failed", "notObservable"]) }));

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** A file of tests that cannot be loaded has no failed test. */
const countTests = (file: string): Count => {
	const { numPassedTests, numFailedTests, success } = report.parse(readJson(file));
	return { passed: numPassedTests, failed: success ? 0 : Math.max(numFailedTests, 1) };
};

const countOutcomes = (file: string): Count => {
	const ends = outcomes.parse(readJson(file)).map(({ outcome }) => outcome);
	return {
		passed: ends.filter((outcome) => outcome === "passed").length,
		failed: ends.filter((outcome) => outcome === "failed").length,
	};
};

const tests = (name: string, title: string, ...command: string[]): Part => ({
	name,
	title,
	command: (file) => [...command, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
	count: countTests,
});

const outcomesOf = (name: string, title: string, ...command: string[]): Part => ({
	name,
	title,
	command: (file) => [...command, "--results", file],
	count: countOutcomes,
});

/** As in .ci/run: always the same attacks. */
const SEED = ["--seed", "20261115"];
const FAULTS = ["input", "kills", "postgres-restarts", "deletion"].flatMap((part) => ["--part", part]);

/** Everything that judges responses. */
export const PARTS: readonly Part[] = [
	tests("test", "Tests", "pnpm", "test"),
	tests("test-slow", "Sweeps and slow tests", "pnpm", "test:slow"),
	outcomesOf("conformance", "Specification", "pnpm", "conformance"),
	tests("surface", "Surface of all endpoints", "pnpm", "surface"),
	outcomesOf(
		"isolation-model",
		"Isolation: random operations",
		"pnpm",
		"isolation",
		...SEED,
		"--part",
		"model",
		"--size",
		"5000",
	),
	outcomesOf(
		"isolation-faults",
		"Isolation: input, kills, restarts, deletion",
		"pnpm",
		"isolation",
		...SEED,
		...FAULTS,
	),
	tests("e2e", "Journeys in a browser", "pnpm", "e2e"),
	tests("server", "Service", "pnpm", "--filter", "server", "test"),
];

/** The parts with these names, in their own order. All of them if none is named. */
export const chooseParts = (names: string[]): Part[] => {
	const unknown = names.filter((name) => !PARTS.some((part) => part.name === name));
	if (unknown.length > 0)
		throw new Error(`There is no part ${unknown.join(", ")}. Use ${PARTS.map(({ name }) => name).join(", ")}.`);
	return PARTS.filter(({ name }) => names.length === 0 || names.includes(name));
};
