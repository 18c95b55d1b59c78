import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createFurnished } from "../furnished.ts";
import { findLargestValues } from "./find-largest-values.ts";
import { type LargestValues, largestResults, PAGE, RESULTS, renderPage } from "./page.ts";

/** The longest of all but tokens of providers and settings of SAML, which are encrypted. A state is wrapped in Redis. */
const LONGEST = 17_000;

// threat 154
it("stores no text that is longer than its bound, from any field of any endpoint, and nothing long of strangers for ever", async () => {
	const closing: (() => Promise<void>)[] = [];
	const furnished = await createFurnished({
		companions: true,
		redis: true,
		onFinished: (close) => closing.push(close),
	});
	try {
		const { fields, largest } = await findLargestValues(furnished);
		expect(fields).toBeGreaterThan(300);
		expect(largest.length).toBeGreaterThan(60);
		const stored = largest.flatMap(({ stored, ...field }) => stored.map((cell) => ({ ...field, ...cell })));
		expect(stored.filter(({ characters }) => characters > LONGEST)).toEqual([]);
		const forEver = stored.filter(({ caller, seconds }) => caller === "stranger" && seconds === undefined);
		expect(forEver.filter(({ characters }) => characters > 8_192)).toEqual([]);
	} finally {
		for (const close of closing.reverse()) await close();
	}
}, 600_000);

it("matches the recorded run in docs/stored-values.md", async () => {
	const recorded = await largestResults.read<LargestValues>(RESULTS);
	expect(await readFile(PAGE, "utf8")).toBe(recorded && renderPage(recorded));
});
