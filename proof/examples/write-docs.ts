import { readFile, writeFile } from "node:fs/promises";
import { table } from "test-kit/results/recorded-run";
import { type Recorded, resultsIn } from "test-kit/results/results-in";
import { LISTED } from "./examples.ts";
import type { Proved } from "./prove.ts";

const PAGE = new URL("../../examples/README.md", import.meta.url);
const BLOCK = /(<!-- table: pnpm examples --record -->\n)[\s\S]*?(<!-- end -->)/;

/** Writes the table of examples/README.md from the recorded runs. */
export const writeTable = async (): Promise<void> => {
	const results = resultsIn(new URL("./results/", import.meta.url));
	const rows = await Promise.all(
		LISTED.map(async ({ name, framework, database, tenantsBy }) => {
			const run = await results.read<Proved>(name);
			return [`[${name}](${name})`, framework, database, tenantsBy, run ? seenOn(run) : "not recorded yet"];
		}),
	);
	const text = await readFile(PAGE, "utf8");
	const head = ["Example", "Framework", "Database", "Tenants by", "Seen to work"];
	await writeFile(
		PAGE,
		text.replace(BLOCK, (_all, from, to) => `${from}\n${table(head, rows)}\n\n${to}`),
	);
};

const seenOn = ({ at, machine, installMB, steps }: Recorded<Proved>): string => {
	const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
	return `${at.slice(0, 10)}, Node ${machine.node.slice(1)}: ${Math.round(seconds)} s, ${installMB} MB installed`;
};

if (import.meta.main) await writeTable();
