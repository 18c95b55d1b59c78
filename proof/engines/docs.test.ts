import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PARTS } from "./parts.ts";
import { readTimes } from "./run-part.ts";
import { composeEngineDocs, readEngineDocs } from "./write-docs.ts";

it("matches the recorded runs in docs/engine-versions.md", async () => {
	// if it fails: node proof/engines/write-docs.ts
	expect(await readEngineDocs()).toBe(await composeEngineDocs());
});

it("reads the processor time of a run", () => {
	expect(readTimes("0m0.010s 0m0.020s\n2m3.400s 0m10.300s\n")).toBe(134);
	expect(readTimes("")).toBe(0);
});

it("counts a file of tests that cannot be loaded as failed", () => {
	const file = join(tmpdir(), `engines-${process.pid}.json`);
	onTestFinished(() => rmSync(file));
	const count = (name: string, content: object) => {
		writeFileSync(file, JSON.stringify(content));
		return PARTS.find((part) => part.name === name)?.count(file);
	};
	expect(count("test", { numPassedTests: 5, numFailedTests: 0, success: true })).toEqual({ passed: 5, failed: 0 });
	expect(count("test", { numPassedTests: 5, numFailedTests: 0, success: false })).toEqual({ passed: 5, failed: 1 });
	const ends = ["passed", "deviates", "failed", "notObservable"].map((outcome) => ({ outcome }));
	expect(count("conformance", ends)).toEqual({ passed: 1, failed: 1 });
});
