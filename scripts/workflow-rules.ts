import * as z from "zod";

const permissions = z.record(z.string(), z.enum(["read", "write", "none"]));

const step = z.looseObject({
	uses: z.string().optional(),
	run: z.string().optional(),
	with: z.record(z.string(), z.unknown()).optional(),
});

const job = z.looseObject({
	"runs-on": z.string(),
	"timeout-minutes": z.number(),
	permissions: permissions.optional(),
	steps: z.array(step).min(1),
});

/** Rules for workflows beyond the schema: named permissions, time limits, and fixed runner versions. */
export const workflow = z.looseObject({
	on: z.record(z.string(), z.unknown()),
	permissions,
	jobs: z.record(z.string(), job),
});

export type Workflow = z.infer<typeof workflow>;
type Job = z.infer<typeof job>;

/** The names of steps, by script. */
export type Steps = Record<".ci/run" | ".ci/nightly", string[]>;

/** A commit: a tag can be moved to other code. */
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;
/** A pinned line, which names the version of the commit for readers and for Renovate. */
const PINNED_LINE = /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** The steps named in a line of a script: `.ci/run lint "$PART"` names lint. */
const namedSteps = (line: string, script: string): string[] =>
	line.trim().startsWith(`${script} `)
		? line
				.trim()
				.split(/\s+/)
				.slice(1)
				.filter((word) => /^[a-z]/.test(word))
		: [];

const linesOf = (job: Job): string[] => job.steps.flatMap(({ run = "" }) => run.split("\n"));

/** The steps of a script that a job of a workflow runs by name. */
export const stepsRunBy = ({ jobs }: Workflow, script: keyof Steps): string[] =>
	Object.values(jobs).flatMap((job) => linesOf(job).flatMap((line) => namedSteps(line, script)));

const checkJob = (job: Job, inherited: Workflow["permissions"], steps: Steps): string[] => {
	const found: string[] = [];
	const granted = job.permissions ?? inherited;
	if (job["runs-on"].endsWith("-latest")) found.push(`runs on ${job["runs-on"]}. Name a version.`);
	for (const { uses, run, with: options } of job.steps) {
		if (uses !== undefined && !PINNED.test(uses)) found.push(`uses ${uses}. Pin it to a commit.`);
		if (
			uses?.startsWith("actions/checkout@") &&
			granted.contents !== "write" &&
			options?.["persist-credentials"] !== false
		)
			found.push("leaves the token in .git. Set persist-credentials: false.");
		if (run?.includes("${{")) found.push("puts an expression into a script. Pass it by env.");
	}
	for (const script of [".ci/run", ".ci/nightly"] as const) {
		const unknown = linesOf(job)
			.flatMap((line) => namedSteps(line, script))
			.filter((name) => !steps[script].includes(name));
		if (unknown.length > 0) found.push(`runs ${unknown.join(", ")}, which ${script} --list does not show.`);
	}
	return found;
};

/** Finds actions without a version beside their commit. Comments are lost when the file is parsed. */
export const findUnnamedVersions = (text: string): string[] =>
	text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => /^(- )?uses: /.test(line) && !PINNED_LINE.test(line))
		.map((line) => `has the line "${line}". Name the version of the commit: # vX.Y.Z.`);

/** Finds violations of the rules in a workflow. */
export const checkWorkflow = ({ on, permissions, jobs }: Workflow, steps: Steps): string[] => {
	const found: string[] = [];
	if ("pull_request_target" in on) found.push("runs outside code with this repository's token (pull_request_target).");
	if (Object.values(permissions).includes("write"))
		found.push("grants every job a write permission. Grant it to one job.");
	for (const [name, job] of Object.entries(jobs))
		found.push(...checkJob(job, permissions, steps).map((problem) => `job ${name} ${problem}`));
	return found;
};
