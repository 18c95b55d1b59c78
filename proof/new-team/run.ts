import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { resultsIn } from "test-kit/results/results-in";
import { followGuide } from "./follow-guide.ts";
import { type Followed, followPage } from "./follow-page.ts";
import { readStartPage, startPages } from "./start-page.ts";

/** What is recorded of a page. `digest` names the blocks that were followed. */
export type PageRecord = Followed & { page: string; digest: string };

const EXISTING = "existing-application";
const GUIDE = "b2b";
const { values, positionals } = parseArgs({ allowPositionals: true, options: { record: { type: "boolean" } } });
const known = [...startPages(), GUIDE, EXISTING];
const chosen = positionals.length > 0 ? positionals : known;
const unknown = chosen.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`No such page: ${unknown.join(", ")}. Use ${known.join(", ")}.`);

const results = resultsIn(new URL("./results/", import.meta.url));
const followed: PageRecord[] = [];
const failed: string[] = [];
for (const name of chosen.filter((one) => one !== EXISTING && one !== GUIDE)) {
	const page = readStartPage(name);
	try {
		followed.push({ page: page.path, digest: page.digest, ...(await followPage(page)) });
	} catch (error) {
		console.error(error);
		failed.push(name);
	}
}

if (followed.length > 0)
	console.table(
		Object.fromEntries(
			followed.map(({ page, install, start, use, total, production }) => [
				page,
				{
					"install (s)": install,
					"start (s)": start,
					"use (s)": use,
					"total (s)": total,
					"production (s)": production,
				},
			]),
		),
	);
if (values.record && followed.length > 0) {
	// the records of other pages stay
	const before = (await results.read<{ pages: PageRecord[] }>("start-pages"))?.pages ?? [];
	const others = before.filter(({ page }) => !followed.some((one) => one.page === page));
	const pages = [...others, ...followed].sort((one, other) => one.page.localeCompare(other.page));
	await results.write("start-pages", { pages });
	console.log("Recorded in proof/new-team/results/start-pages.json.");
}
if (chosen.includes(GUIDE)) {
	try {
		const guide = await followGuide();
		console.log(guide);
		if (values.record) await results.write("b2b", guide);
	} catch (error) {
		console.error(error);
		failed.push(GUIDE);
	}
}
if (failed.length > 0) throw new Error(`These pages cannot be followed: ${failed.join(", ")}.`);
if (chosen.includes(EXISTING)) {
	const script = fileURLToPath(new URL(`./${EXISTING}.ts`, import.meta.url));
	execFileSync(process.execPath, [script, ...(values.record ? ["--record"] : [])], { stdio: "inherit" });
}
