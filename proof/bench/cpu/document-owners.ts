import { table } from "test-kit/results/recorded-run";
import { compareOwners } from "./compare-owners.ts";
import type { CpuFlow } from "./result.ts";

/** Columns of their own. The rest is one column. */
const NAMED = [
	"Better Auth",
	"better-call",
	"zod",
	"rou3",
	"kysely",
	"driver",
	"Node",
	"garbage collection",
	"native code",
	"other threads",
];

/** Whose microseconds the flows that miss their goal take. Empty if there are none. */
export const documentOwners = (missed: CpuFlow[]): string =>
	missed.length === 0
		? ""
		: `
### Missed goals by owner

Microseconds that each request takes more than with Better Auth alone, by whose code runs. \`pnpm bench --part cpu --profile "${missed[0]?.name}"\`
shows the functions.

${table(["Flow", "in total", "this package", "of which", ...NAMED, "others"], missed.map(describeFlow))}
`;

const describeFlow = ({ name, owners }: CpuFlow): (string | number)[] => {
	const rows = compareOwners(owners);
	const isOurs = (owner: string) => owner === "src" || owner.startsWith("src/");
	const sum = (of: (owner: string) => boolean) =>
		Math.round(rows.filter((row) => of(row.name)).reduce((total, { added }) => total + added, 0));
	const folders = rows
		.filter((row) => isOurs(row.name) && Math.round(row.added) !== 0)
		.toSorted((one, other) => other.added - one.added)
		.map((row) => `${row.name} ${Math.round(row.added)}`);
	return [
		name,
		sum(() => true),
		sum(isOurs),
		folders.join(", "),
		...NAMED.map((owner) => sum((one) => one === owner)),
		sum((owner) => !isOurs(owner) && !NAMED.includes(owner)),
	];
};
