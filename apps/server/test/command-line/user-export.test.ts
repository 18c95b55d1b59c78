import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refuse } from "./support/gateway.ts";
import { runInTerminal } from "./support/run-command.ts";
import { createServed, type Served } from "./support/served.ts";
import { createTransferFiles, person } from "./support/transfer-files.ts";

const { folder, path, parse, put } = createTransferFiles();

let served: Served;
beforeAll(async () => {
	served = await createServed();
}, 60_000);
beforeEach(() => {
	served.gateway.intercept(null);
	served.gateway.requests.length = 0;
});
afterAll(() => served.close(), 60_000);

describe("user export", { timeout: 60_000 }, () => {
	it("writes only one tenant's users, page by page, to a file that only its owner can read", async () => {
		const [mine, other] = [await served.service.createTenant("mine"), await served.service.createTenant("other")];
		put(
			"many",
			Array.from({ length: 1_203 }, (_, at) => person(`user-${at}`)),
		);
		expect((await served.run(["user", "import", "--tenant", mine, path("many")])).code).toBe(0);
		await served.service.signUp(other, "stranger@example.com");

		served.gateway.requests.length = 0;
		const exported = await served.run(["user", "export", "--tenant", mine, path("mine"), "--json"]);
		expect(exported.json()).toEqual({ lines: 1_203, file: path("mine") });
		expect(new Set(parse("mine").map(({ email }) => email)).size).toBe(1_203);
		expect(readFileSync(path("mine"), "utf8")).not.toContain("stranger");
		expect(statSync(path("mine")).mode & 0o777).toBe(0o600);
		expect(served.gateway.requests).toHaveLength(3);
	});

	it("keeps the existing file and leaves no partial file when it fails", async () => {
		const tenant = await served.service.createTenant("half-way");
		put(
			"users",
			Array.from({ length: 600 }, (_, at) => person(`half-${at}`)),
		);
		await served.run(["user", "import", "--tenant", tenant, path("users")]);
		put("before", ["kept"]);
		served.gateway.intercept(({ query }, response) =>
			query.has("cursor") ? refuse(response, 500, { code: "INTERNAL_SERVER_ERROR" }) : false,
		);
		const failed = await served.run(["user", "export", "--tenant", tenant, path("before")]);
		expect(failed.code).toBe(1);
		expect(readFileSync(path("before"), "utf8")).toBe("kept\n");
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});

	it("refuses a directory before it calls the server, and leaves no partial file", async () => {
		mkdirSync(path("a-folder"));
		const failed = await served.run(["user", "export", "--all-tenants", path("a-folder"), "--json"]);
		expect(failed.error()).toMatchObject({ code: "FILE_UNWRITABLE", fix: expect.any(String) });
		expect(served.gateway.requests).toEqual([]);
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});

	it("deletes the partial file if it cannot be renamed", async () => {
		await served.service.signUp(await served.service.createTenant("no-name"), "ada@example.com");
		served.gateway.intercept(() => {
			mkdirSync(path("taken"), { recursive: true });
			return false;
		});
		const failed = await served.run(["user", "export", "--all-tenants", path("taken"), "--json"]);
		expect(failed.error()).toMatchObject({ code: "FILE_UNWRITABLE" });
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});

	it("writes to an existing pipe or device without replacing it", async () => {
		await served.service.signUp(await served.service.createTenant("piped"), "piped@example.com");
		spawnSync("mkfifo", [path("pipe")]);
		const read = readFile(path("pipe"), "utf8");
		const exported = await served.run(["user", "export", "--all-tenants", path("pipe"), "--json"]);
		expect(exported.code).toBe(0);
		expect(statSync(path("pipe")).isFIFO()).toBe(true);
		expect(await read).toContain("piped@example.com");
		// a symbolic link keeps its target
		writeFileSync(path("linked"), "");
		symlinkSync(path("linked"), path("link"));
		expect((await served.run(["user", "export", "--all-tenants", path("link")])).code).toBe(0);
		expect(readFileSync(path("linked"), "utf8")).toContain("piped@example.com");
	});

	it("deletes the partial file when it is interrupted", async () => {
		const tenant = await served.service.createTenant("interrupted");
		served.gateway.intercept(() => new Promise<boolean>(() => {}));
		const ran = await served.run(["user", "export", "--tenant", tenant, path("never")], {
			during: (child) => {
				const timer = setInterval(() => {
					if (!readdirSync(folder).some((name) => name.startsWith("never."))) return;
					clearInterval(timer);
					child.kill("SIGINT");
				}, 50);
			},
		});
		expect(ran.code).toBe(130);
		expect(readdirSync(folder).filter((name) => name.startsWith("never"))).toEqual([]);
	});

	it("shows no password hash on a terminal, and requires a choice of users", async () => {
		const tenant = await served.service.createTenant("shown");
		const { code, screen } = await runInTerminal(["user", "export", "--tenant", tenant], { env: served.env });
		expect(code).toBe(1);
		expect(screen).toContain("FILE_MISSING");
		for (const args of [[], ["--tenant", tenant, "--all-tenants"]])
			expect((await served.run(["user", "export", ...args, "--json"])).error().code).toBe("USAGE");
		expect(served.gateway.requests).toEqual([]);
	});
});
