import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const FILE = join(ROOT, "README.md");
const [BEGIN, END] = ["<!-- figures -->", "<!-- /figures -->"];

const read = <Result>(path: string): Result => JSON.parse(readFileSync(join(ROOT, "proof", path), "utf8"));
const count = (value: number): string => value.toLocaleString("en-US");

type Surface = { endpoints: unknown[]; calls: number; leaks: number };
type Model = { size: number; wrong: string[] };
type Mutants = { result: { total: number; caught: number } };
type Statements = {
	result: {
		checks: number;
		throws: number;
		noticed: number;
		explained: unknown[];
		survived: unknown[];
		notRun: number;
	};
};
type Side = { side: string; ratio: { median: number } };
type Cpu = { result: { flows: { name: string; atOnce: { parallel: number; sides: Side[] }[] }[] } };

/** The slowest and the fastest flow of this package relative to Better Auth alone, eight requests at a time. */
const speeds = (): { low: string; high: string } => {
	const ratios = read<Cpu>("bench/results/cpu.json").result.flows.flatMap(({ atOnce }) =>
		atOnce
			.filter(({ parallel }) => parallel === 8)
			.flatMap(({ sides }) => sides.filter(({ side }) => side === "tenants, tenant handler"))
			.map(({ ratio }) => ratio.median),
	);
	return { low: Math.min(...ratios).toFixed(2), high: Math.max(...ratios).toFixed(2) };
};

const figures = (): string => {
	const surface = read<Surface>("isolation/results/surface.json");
	const model = read<Model>("isolation/results/model.json");
	const mutants = read<Mutants>("isolation/results/mutants.json").result;
	const statements = read<Statements>("isolation/results/statements.json").result;
	const { checks, throws, noticed, explained, survived, notRun } = statements;
	const { low, high } = speeds();
	return [
		`- **${count(surface.endpoints.length)} endpoints** of Better Auth and its official plugins, [called with another tenant's data](docs/isolation.md#the-surface): ${count(surface.calls)} calls, ${count(surface.leaks)} leaks.`,
		`- **${count(model.size)} random operations** of several tenants, [compared with a model](docs/isolation.md): ${count(model.wrong.length)} differences.`,
		`- **${count(mutants.caught)} of ${count(mutants.total)} defenses that were listed and tried**, [removed one at a time](docs/isolation.md#mutants): a test fails without each of them.`,
		`- **${count(noticed)} of ${count(checks + throws)} checks and throws**, [found in the sources and removed one at a time](docs/isolation.md#checks-and-throws): a test fails without each of them. ${count(explained.length)} are explained. For the other ${count(survived.length + notRun)}, no test is known yet.`,
		`- **${low} to ${high} times the speed** of Better Auth alone, [by flow, in processor time](docs/performance.md).`,
	].join("\n");
};

/** The README with the figures of the recorded runs. */
export const withFigures = (readme: string): string => {
	const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
	if (begin < 0 || end < begin)
		throw new Error(`README.md has no ${BEGIN} and ${END}. Put them where the figures belong`);
	return `${readme.slice(0, begin)}${BEGIN}\n\n${figures()}\n\n${readme.slice(end)}`;
};

export const readReadme = (): string => readFileSync(FILE, "utf8");

/** `pnpm docs:figures` */
if (import.meta.main) writeFileSync(FILE, withFigures(readReadme()));
