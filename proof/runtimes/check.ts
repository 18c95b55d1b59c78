import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Started } from "./start.ts";

const RUN = new URL("../conformance/run.ts", import.meta.url).pathname;

export const checkedStatement = z.object({
	id: z.string(),
	outcome: z.enum(["passed", "deviates", "failed", "notObservable"]),
	reason: z.string().optional(),
});

/** Runs the specification against a server. Ends with an outcome for each statement. */
export const checkServer = async (started: Started): Promise<z.infer<typeof checkedStatement>[]> => {
	const folder = await mkdtemp(join(tmpdir(), "runtimes-results-"));
	const results = join(folder, "results.json");
	const { origin, managementKey, secret, variants, databaseURL } = started;
	const standard = variants.find(([name]) => name === "standard")?.[1] ?? "/api/auth";
	const others = variants.filter(([name]) => name !== "standard");
	const args = [
		...["--url", origin + standard, "--management-key", managementKey, "--results", results, "--throw-away"],
		...["--loopback-provider", "--global-provider", "gitlab=global-client", "--parallel", "4"],
		...others.flatMap(([name, path]) => ["--variant", `${name}=${origin}${path}`]),
	];
	const child = spawn(process.execPath, [RUN, ...args], {
		stdio: ["ignore", "ignore", "inherit"],
		env: {
			...process.env,
			...(databaseURL && { CONFORMANCE_DATABASE_URL: databaseURL, CONFORMANCE_AUTH_SECRET: secret }),
		},
		timeout: 20 * 60_000,
	});
	try {
		await new Promise((resolve) => child.once("close", resolve));
		return z.array(checkedStatement).parse(JSON.parse(await readFile(results, "utf8")));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
};
