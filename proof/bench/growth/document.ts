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
	return `Does a request take longer with more tenants? One PostgreSQL has a database for each number of tenants, filled with
clones of rows written by Better Auth. Tenant sizes are skewed: the k-th largest has about 1/k of the largest tenant's users. Each of
${showCount(requests)} requests per operation is sent to every size before the next request, so that other load on the machine affects all
sizes equally.

${table(
	["tenants", "users", "in the largest tenant", "sessions", "OAuth configs", "database", "time to fill"],
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
${short.map((size) => `\nTime and disk allowed only ${showCount(size.users)} of ${showCount(size.usersWanted)} users.\n`).join("")}
Requests go to ${sampled.tenants} tenants of each size, from the largest to the smallest in steps of one ratio, and to ${sampled.peopleATenant} users of each, so
that caches are equally warm. A separate row shows the cost of a tenant that is not cached: its users are drawn from the
whole database, and every request looks its tenant up. Passwords are hashed with a cheap hash, because otherwise sign-in would only measure hashing.
Tenants are listed in pages of ${sampled.tenantsOnAPage}; the deep page is the last one with a next page. The goal for the
largest median relative to the smallest is at most ${goal.toFixed(2)}${beyond.map(({ size }) => `; ${showCount(size.tenants)} tenants are outside of the goal, and compared with ${names[0]} per round`).join("")}.

${table(
	[
		"median / p99 (ms)",
		...names.map((name) => `${name} tenants`),
		"largest / smallest",
		...beyond.map(({ size }) => `${showCount(size.tenants)} / ${names[0]}`),
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

Every statement behind these finds its rows by an index, which is checked in \`test/database/plans.sweep.test.ts\`.`;
};
