import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attach } from "./attach.ts";
import { publicPackages } from "./packages.ts";
import { publishSettings, refusesWithoutProvenance } from "./provenance.ts";

const ROOT = join(import.meta.dirname, "../..");

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "publish-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the packages", () => {
	it("are the public ones", () => {
		expect(publicPackages(ROOT).map(({ name }) => name)).toEqual([
			"create-better-auth-tenants",
			"better-auth-tenants-react",
			"better-auth-tenants",
		]);
	});
});

describe("provenance", () => {
	it("is asked for by the workflow, in a way that pnpm reads", async () => {
		writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "example-package", version: "1.0.0" }));
		execFileSync("pnpm", ["pack"], { cwd: folder, stdio: "ignore" });
		const tarball = join(folder, "example-package-1.0.0.tgz");
		const { env, permissions } = publishSettings(ROOT);
		expect(permissions["id-token"]).toBe("write");
		expect(await refusesWithoutProvenance(tarball, env)).toBe(true);
		expect(await refusesWithoutProvenance(tarball, {})).toBe(false);
		// the name that npm reads
		expect(await refusesWithoutProvenance(tarball, { NPM_CONFIG_PROVENANCE: "true" })).toBe(false);
	});
});

describe("the release on GitHub", () => {
	let github: Server;
	let api: string;
	const uploads: string[] = [];
	const present: string[] = [];
	const packed = { name: "better-auth-tenants", version: "1.2.3", tarball: "packages/better-auth-tenants-1.2.3.tgz" };

	beforeEach(async () => {
		uploads.length = 0;
		present.length = 0;
		mkdirSync(join(folder, "packages"));
		for (const file of ["better-auth-tenants-1.2.3.tgz", "better-auth-tenants-1.2.3.cdx.json", "SHA256SUMS"])
			writeFileSync(join(folder, "packages", file), file);
		github = createServer(async (request, response) => {
			const url = new URL(request.url ?? "", api);
			const isAllowed = request.headers.authorization === "Bearer secret";
			if (request.method === "POST") {
				uploads.push(`${url.searchParams.get("name")}: ${(await request.toArray()).join("")}`);
				return response.writeHead(isAllowed ? 201 : 401).end("{}");
			}
			const isKnown = url.pathname === "/repos/us/it/releases/tags/better-auth-tenants%401.2.3";
			const assets = present.map((name) => ({ name }));
			response.writeHead(isKnown ? 200 : 404);
			response.end(JSON.stringify({ upload_url: `${api}/upload/7/assets{?name,label}`, assets }));
		});
		await new Promise<void>((resolve) => github.listen(0, "127.0.0.1", resolve));
		api = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
	});
	afterEach(() => new Promise((resolve) => github.close(resolve)));

	const run = (token = "secret", version = "1.2.3") =>
		attach({ api, repository: "us/it", token }, folder, { ...packed, version });

	it("gets the tarball, its SBOM and the checksums", async () => {
		const files = ["better-auth-tenants-1.2.3.tgz", "better-auth-tenants-1.2.3.cdx.json", "SHA256SUMS"];
		expect(await run()).toEqual(files);
		expect(uploads).toEqual(files.map((file) => `${file}: ${file}`));
	});

	it("gets what is missing when the job runs again", async () => {
		present.push("better-auth-tenants-1.2.3.tgz", "SHA256SUMS");
		expect(await run()).toEqual(["better-auth-tenants-1.2.3.cdx.json"]);
	});

	it("fails the job if there is no such release, or GitHub refuses", async () => {
		await expect(run("secret", "9.9.9")).rejects.toThrow("GitHub has no release better-auth-tenants@9.9.9 (404).");
		await expect(run("wrong")).rejects.toThrow("did not accept");
	});
});
