import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { picture } from "../plots/picture.ts";
import type { Spread } from "../stage/statistics.ts";
import { documentOwners } from "./document-owners.ts";
import { judgeFlow } from "./judge.ts";
import { cpuPlots } from "./plot.ts";
import type { CpuFlow, CpuResult } from "./result.ts";

export const documentCpu = (run: Run<CpuResult> | null): string => `## CPU time compared with Better Auth alone

The CPU time and the memory that a request takes. CPU time leaves out the time that a process waits for others. Other
load on the machine still affects it, because caches are shared. Each side has its own process and takes turns with the others: Better Auth alone, and Better Auth with \`tenantAuth()\`. CPU
time is that of all threads of the process. A ratio is the CPU time of Better Auth alone divided by that of the side: 1 is Better Auth
alone, and more is faster. Requests go directly to the handler. Passwords are hashed with a cheap hash, except in the first row. Tenants
stay in the cache, as under constant load. The next section counts the statements of a request in a tenant that is not cached.
${run ? figures(run) : ""}
${verdict(run && { ...run, lines: [] }, "pnpm bench --part cpu --full")}
`;

const figures = (run: Run<CpuResult>): string => {
	const { sides, flows, rounds, undisturbed } = run.result;
	const [, ...compared] = sides;
	const numbers = flows[0]?.atOnce.map(({ parallel }) => parallel) ?? [];
	const most = Math.max(...numbers);
	return `
Microseconds per request, ${most} at once:

${table(
	["Flow", ...sides.map(({ title }) => title)],
	flows.map((flow) => [flow.name, ...sides.map(({ name }) => Math.round(cpuOf(flow, most, name).us.median))]),
)}

Ratios, with their goals for the last side:

${table(
	["Flow", ...compared.flatMap(({ title }) => numbers.map((parallel) => `${title}, ${parallel} at once`)), "goal"],
	flows.map((flow) => [
		flow.name,
		...compared.flatMap(({ name }) =>
			numbers.map((parallel) => {
				const shown = spread(cpuOf(flow, parallel, name).ratio);
				return name === sides.at(-1)?.name && isMissed(flow, parallel) ? `**${shown}**` : shown;
			}),
		),
		flow.goal.toFixed(2),
	]),
)}

Medians of the ${undisturbed} least disturbed of ${rounds} rounds, with their quartiles.

${cpuPlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}

### Memory allocated per request

Kilobytes that V8 allocates on its heap for a request, one at a time and without optimized code, which allocates a little less. CI
measures a session check, a sign-up and a delegated sign-in, and fails if one allocates more than here (\`pnpm bench --guard\`).

${table(
	["Flow", ...sides.map(({ title }) => title)],
	flows.map(({ name, allocated }) => [name, ...allocated.map(({ bytes }) => (bytes.median / 1024).toFixed(1))]),
)}
${documentOwners(flows.filter((flow) => judgeFlow(flow).length > 0))}
`;
};

const cpuOf = (flow: CpuFlow, parallel: number, name: string) => {
	const found = flow.atOnce.find((at) => at.parallel === parallel)?.sides.find(({ side }) => side === name);
	if (!found) throw new Error(`${flow.name}, ${name} was not measured with ${parallel} requests at once`);
	return found;
};

const isMissed = (flow: CpuFlow, parallel: number): boolean =>
	judgeFlow({ ...flow, atOnce: flow.atOnce.filter((at) => at.parallel === parallel) }).length > 0;

const spread = ({ median, low, high }: Spread): string =>
	`${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
