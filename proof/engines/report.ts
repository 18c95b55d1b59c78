import { table } from "test-kit/results/recorded-run";
import type { PartResult } from "./run-part.ts";

type Found = {
	newer: string;
	catalog: string;
	overrides: Record<string, string>;
	results: PartResult[];
	/** how many suites run */
	asked: number;
};

/** What a run with a newer release saw, and what to do. The first line is the title. */
export const composeReport = ({ newer, catalog, overrides, results, asked }: Found): string => {
	const isOver = results.length === asked;
	const failed = results.filter((result) => result.failed > 0).map(({ part }) => part);
	const verdict = !isOver
		? `${results.length} of ${asked} suites ran.`
		: failed.length > 0
			? `These suites fail: ${failed.join(", ")}.`
			: "All suites pass.";
	return [
		`# Better Auth ${newer} is newer than ${catalog}`,
		verdict,
		table(
			["Suite", "Passed", "Failed", "Seconds"],
			results.map(({ command, passed, failed, seconds }) => [`\`${command}\``, passed, failed, seconds]),
		),
		`Installed: ${Object.entries(overrides)
			.map(([name, version]) => `\`${name}@${version}\``)
			.join(", ")}.`,
		[
			`1. Read what changed between ${catalog} and ${newer}, and fix what fails: \`pnpm with-engine ${newer} pnpm vitest run …\`.`,
			`2. Set \`better-auth\`, \`@better-auth/core\` and the overrides in pnpm-workspace.yaml, and \`NEWEST_TESTED\` in packages/tenants/src/engine/tested-versions.ts.`,
			"3. Add what it fixes to packages/tenants/src/engine/fixed-weaknesses.ts and docs/engine-versions.md.",
		].join("\n"),
		"",
	].join("\n\n");
};
