import * as z from "zod";

const rangeStrategy = z.enum(["auto", "pin", "bump", "replace", "widen", "update-lockfile"]);

const schedule = z.array(z.string().min(1));

const packageRule = z.strictObject({
	description: z.string().min(1),
	groupName: z.string().optional(),
	matchPackageNames: z.array(z.string().min(1)).optional(),
	matchDepTypes: z.array(z.string().min(1)).optional(),
	matchFileNames: z.array(z.string().min(1)).optional(),
	matchManagers: z.array(z.enum(["npm", "github-actions"])).optional(),
	rangeStrategy: rangeStrategy.optional(),
	schedule: schedule.optional(),
	automerge: z.boolean().optional(),
	enabled: z.boolean().optional(),
});

/** Updates the commits of actions, and the versions beside them. */
const PINS = "helpers:pinGitHubActionDigestsToSemver";

/** The Renovate options in use. Renovate's own schema has a license that does not fit this repository. */
export const renovateConfig = z.strictObject({
	$schema: z.literal("https://docs.renovatebot.com/renovate-schema.json"),
	extends: z.array(z.string().min(1)).refine((presets) => presets.includes(PINS), `Include ${PINS}.`),
	rangeStrategy: z.literal("pin"),
	minimumReleaseAge: z.string().regex(/^\d+ days$/),
	dependencyDashboard: z.boolean(),
	schedule,
	packageRules: z.array(packageRule),
});
