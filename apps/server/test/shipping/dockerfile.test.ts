import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { createProgram } from "../../src/command-line/program.ts";

const execute = promisify(execFile);
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The instructions of a Dockerfile, without comments and with continued lines joined. */
const instructions = read("Dockerfile")
	.replace(/^#.*\n/gm, "")
	.replace(/\\\n\s*/g, "")
	.split("\n")
	.filter(Boolean)
	.map((line) => {
		const [name = "", ...rest] = line.split(" ");
		return { name, says: rest.join(" ") };
	});
const said = (name: string): string[] => instructions.filter((one) => one.name === name).map(({ says }) => says);

it("uses the tested versions of Node and pnpm", () => {
	const node = read("../../.node-version").trim();
	const { packageManager } = JSON.parse(read("../../package.json")) as { packageManager: string };
	// an argument, so that a build can pin it by its digest
	expect(said("ARG")).toEqual([`NODE_IMAGE=node:${node}-bookworm-slim`]);
	// biome-ignore lint/suspicious/noTemplateCurlyInString: Docker replaces it
	expect(said("FROM").map((image) => image.split(" ")[0])).toEqual(["${NODE_IMAGE}", "${NODE_IMAGE}"]);
	expect(said("RUN").join("\n")).toContain(`install --global ${packageManager}`);
});

it("downloads packages in a layer that only depends on manifests and the lockfile, and only those of the service", () => {
	const steps = instructions.filter(({ name }) => name === "COPY" || name === "RUN").map(({ says }) => says);
	const installing = steps.findIndex((step) => step.startsWith("pnpm install --frozen-lockfile --filter"));
	const before = steps.slice(0, installing).filter((step) => !step.startsWith("npm install"));
	expect(before.length).toBeGreaterThan(1);
	for (const copied of before) expect(copied).toMatch(/^(pnpm-lock.yaml pnpm-workspace.yaml )?\S*package\.json \S+$/);
	expect(steps.indexOf(". .")).toBe(installing + 1);
});

it("runs as a user who is not root and cannot modify the server", () => {
	const last = instructions.findLastIndex(({ name }) => name === "FROM");
	const final = instructions.slice(last);
	expect(final.find(({ name }) => name === "USER")?.says).toBe("1000:1000");
	expect(final.find(({ name }) => name === "COPY")?.says).toBe("--from=build --chown=root:root /service /service");
	expect(final.some(({ name }) => name === "RUN" || name === "ADD")).toBe(false);
});

it("starts an existing command", () => {
	expect(JSON.parse(said("ENTRYPOINT")[0] ?? "")).toEqual(["node", "dist/main.js"]);
	const [command] = JSON.parse(said("CMD")[0] ?? "") as string[];
	expect(createProgram().commands.map((one) => one.name())).toContain(command);
});

it("has a working health check", async () => {
	let status = 200;
	const server = createServer((request, response) => {
		response.statusCode = request.url === "/readyz" ? status : 404;
		response.end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const [, text = ""] = /CMD (\[.*\])$/.exec(said("HEALTHCHECK")[0] ?? "") ?? [];
	const [, ...args] = JSON.parse(text) as string[];
	const ask = (port: number, more: Record<string, string> = {}) =>
		execute(process.execPath, args, { env: { PORT: String(port), ...more } }).then(
			() => "healthy",
			() => "not healthy",
		);
	const { port } = server.address() as AddressInfo;
	expect(await ask(port)).toBe("healthy");
	expect(await ask(1, { METRICS_PORT: String(port) })).toBe("healthy");
	expect(await ask(port, { METRICS_PORT: "0" })).toBe("healthy");
	status = 503;
	expect(await ask(port)).toBe("not healthy");
	expect(await ask(1)).toBe("not healthy");
});

it("copies neither secrets nor installed packages into the image", () => {
	const ignored = read("Dockerfile.dockerignore").split("\n");
	expect(ignored).toContain("**");
	for (const path of ["**/node_modules", "apps/server/secrets"])
		expect(ignored.indexOf(path)).toBeGreaterThan(ignored.indexOf("!apps/server"));
	expect(read("../../.gitignore")).toContain("apps/server/secrets/");
});
