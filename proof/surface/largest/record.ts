import { writeFile } from "node:fs/promises";
import { createFurnished } from "../furnished.ts";
import { findLargestValues } from "./find-largest-values.ts";
import { type LargestValues, largestResults, PAGE, RESULTS, renderPage } from "./page.ts";

const closing: (() => Promise<void>)[] = [];
const furnished = await createFurnished({ companions: true, redis: true, onFinished: (close) => closing.push(close) });
try {
	await largestResults.write(RESULTS, await findLargestValues(furnished, { exact: true }));
} finally {
	for (const close of closing.reverse()) await close();
}
const recorded = await largestResults.read<LargestValues>(RESULTS);
if (recorded) await writeFile(PAGE, renderPage(recorded));
