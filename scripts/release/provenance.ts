import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

const workflow = z.looseObject({
	jobs: z.looseObject({
		publish: z.looseObject({
			permissions: z.record(z.string(), z.string()),
			steps: z.array(z.looseObject({ id: z.string().optional(), env: z.record(z.string(), z.string()).optional() })),
		}),
	}),
});

/** Reads what the release workflow sets for the step that publishes. */
export const publishSettings = (root: string): { env: Record<string, string>; permissions: Record<string, string> } => {
	const text = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
	const { permissions, steps } = workflow.parse(parse(text)).jobs.publish;
	return { permissions, env: steps.find(({ id }) => id === "publish")?.env ?? {} };
};

/** Variables by which pnpm knows where it runs. */
const IN_CI = /^(CI|GITHUB_|ACTIONS_|GITLAB_|RUNNER_)/;

/**
 * Publishes a tarball to a registry on this machine that keeps nothing, outside of CI. With provenance, pnpm refuses, because
 * nobody can attest the build. Returns whether it did, so a setting that pnpm ignores is found before a release.
 */
export const refusesWithoutProvenance = async (tarball: string, env: Record<string, string>): Promise<boolean> => {
	const registry = createServer((request, response) => {
		request.resume();
		response.writeHead(request.method === "PUT" ? 201 : 404, { "content-type": "application/json" }).end("{}");
	});
	await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
	const { port } = registry.address() as AddressInfo;
	const folder = mkdtempSync(join(tmpdir(), "publish-"));
	try {
		const host = `127.0.0.1:${port}/`;
		writeFileSync(join(folder, ".npmrc"), `registry=http://${host}\n//${host}:_authToken=nothing\n`);
		const outside = Object.entries(process.env).filter(([name]) => !IN_CI.test(name));
		const options = { cwd: folder, env: { ...Object.fromEntries(outside), ...env } };
		const args = ["publish", tarball, "--access", "public", "--no-git-checks"];
		const { failed, output } = await new Promise<{ failed: boolean; output: string }>((resolve) =>
			execFile("pnpm", args, options, (error, stdout, stderr) =>
				resolve({ failed: error !== null, output: `${stdout}${stderr}` }),
			),
		);
		if (failed && !output.includes("PROVENANCE")) throw new Error(`pnpm publish failed: ${output}`);
		return failed;
	} finally {
		rmSync(folder, { recursive: true });
		registry.close();
	}
};
