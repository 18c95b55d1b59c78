import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { picture } from "../plots/picture.ts";
import { growthPlots } from "./plot.ts";
import type { GrowthResult } from "./run-growth.ts";

export const documentGrowth = (run: Run<GrowthResult> | null): string => `## Growth

${run ? showResult(run) : ""}

${verdict(run, "pnpm bench --part growth --full")}
`;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e9 ? 2 : 1)} GB`;

const showResult = (run: Run<GrowthResult>): string => {
	const { sizes, sampled, operations, requests, goal } = run.result;
	const beyond = sizes.flatMap((size, at) => (size.isOfGoal ? [] : [{ size, at }]));
	const names = sizes.map(({ tenants }) => showCount(tenants));
	const short = sizes.filter(({ users, usersWanted }) => users < usersWanted);
	return `Does a request take longer when there are more tenants? One PostgreSQL holds a database for each number of tenants, filled with
clones of rows that the engine wrote. Tenants are skewed: the k-th largest has about 1/k of the largest one's users. Each of
${showCount(requests)} requests for an operation is sent to every size before the next one, so that whatever else the machine does happens to
all of them.

${table(
	["tenants", "users", "in the largest tenant", "sessions", "OAuth configs", "database", "filled in"],
	sizes.map((size) => [
		showCount(size.tenants),
		showCount(size.users),
		showCount(size.mostUsers),
		showCount(size.sessions),
		showCount(size.oauthConfigs),
		gigabytes(size.bytes),
		`${size.seconds} s`,
	]),
)}
${short.map((size) => `\nOf ${showCount(size.usersWanted)} users, time and disk allowed ${showCount(size.users)}.\n`).join("")}
Requests go to ${sampled.tenants} tenants of each size, from the largest to the smallest in steps of one ratio, and to ${sampled.peopleATenant} people of each, so
that caches are equally warm everywhere. What a tenant costs that no cache knows is a row of its own: there, people are drawn from the
whole database, and every request looks its tenant up. Passwords are hashed cheaply, or sign-in would measure nothing but that.
Tenants are listed by pages of ${sampled.tenantsOnAPage}, of which the deep one is the last that has a next one. The goal, at most ${goal.toFixed(2)}, is for the
largest median over the smallest${beyond.map(({ size }) => `; ${showCount(size.tenants)} tenants are beyond it, and compared with ${names[0]}, round by round`).join("")}.

${table(
	[
		"median / p99 (ms)",
		...names.map((name) => `${name} tenants`),
		"largest over smallest",
		...beyond.map(({ size }) => `${showCount(size.tenants)} over ${names[0]}`),
	],
	operations.map(({ name, figures, ratio }) => [
		name,
		...figures.map(({ medianMs, p99Ms }) => `${medianMs.toFixed(2)} / ${p99Ms.toFixed(2)}`),
		ratio > goal ? `**${ratio.toFixed(2)}**` : ratio.toFixed(2),
		...beyond.map(({ at }) => figures[at]?.overFirst.median.toFixed(2) ?? ""),
	]),
)}

${growthPlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}

That every statement behind these finds its rows by an index is checked in \`test/database/plans.test.ts\`.`;
};
