import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { GAPS, type Gap } from "../rights/known-gaps.ts";
import type { RightsResult } from "../rights/run-stores.ts";

const gaps = Object.keys(GAPS) as Gap[];

export const writeRights = (run: Run<RightsResult> | null): string => `## Rights that end

Random operations of two tenants: users sign in, make and use API keys, add phone numbers, devices, one-time tokens and second
factors; admins and operators ban, unban, remove, promote, demote, end sessions, reset second factors and invite; users accept
invitations, reset and change passwords; tenants are suspended and restored, and policies change. Requests stop before a
statement, a call of Redis, a hash or a mail, and go on when others have been answered. The rule: once an end was answered, no
request that began before and no credential from before acts with the old right. Every committed write of a request is seen in
the driver of the database. One process, so that the same seed gives the same order.

${verdict(run, "pnpm isolation --part rights --full")}
${
	run
		? `
${table(
	["Store", "operations", "held at an await", "acted with an old right", ...gaps],
	run.result.stores.map((store) => [
		store.name,
		showCount(store.operations),
		showCount(store.held),
		store.violations.length,
		...gaps.map((gap) => store.gaps[gap]),
	]),
)}

The last columns are known gaps, which are counted and do not fail the run:

${gaps.map((gap) => `- **${gap}**: ${GAPS[gap]}.`).join("\n")}

As a control, defenses are taken out, and the model must notice:

${table(
	["Planted mistake", "store", "found after"],
	run.result.planted.map(({ name, store, foundAfter }) => [
		name,
		store,
		foundAfter === null ? "**not found**" : `${showCount(foundAfter)} operations`,
	]),
)}

<details><summary>The operations and their counts</summary>

${table(
	["operation", "sent", "held", "succeeded"],
	[...countsOf(run.result)]
		.sort()
		.map(([name, { sent, held, succeeded }]) => [name, showCount(sent), showCount(held), showCount(succeeded)]),
)}

</details>
`
		: ""
}`;

type Count = { sent: number; held: number; succeeded: number };

const countsOf = ({ stores }: RightsResult): Map<string, Count> => {
	const sums = new Map<string, Count>();
	for (const { counts } of stores)
		for (const [name, { sent, held, succeeded }] of Object.entries(counts)) {
			const sum = sums.get(name) ?? { sent: 0, held: 0, succeeded: 0 };
			sums.set(name, { sent: sum.sent + sent, held: sum.held + held, succeeded: sum.succeeded + succeeded });
		}
	return sums;
};
