import { spawnSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refuse } from "./support/gateway.ts";
import { runInTerminal } from "./support/run-command.ts";
import { createServed, type Served } from "./support/served.ts";

const HASH = `${"0".repeat(32)}:${"a".repeat(128)}`;
const PASSWORD = "correct horse battery";
const folder = mkdtempSync(join(tmpdir(), "tenants-transfer-"));
const path = (name: string): string => join(folder, name);
const parse = (name: string): Record<string, unknown>[] =>
	readFileSync(path(name), "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));
const put = (name: string, lines: readonly unknown[]): string => {
	writeFileSync(
		path(name),
		lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
	);
	return path(name);
};
const person = (name: string): Record<string, unknown> => ({
	email: `${name}@example.com`,
	name,
	accounts: [{ providerId: "credential", password: HASH }],
});

let served: Served;
let elsewhere: Served;
beforeAll(async () => {
	served = await createServed();
	elsewhere = await createServed();
}, 60_000);
beforeEach(() => {
	served.gateway.intercept(null);
	served.gateway.requests.length = 0;
});
afterAll(async () => {
	await Promise.all([served.close(), elsewhere.close()]);
	rmSync(folder, { recursive: true });
}, 60_000);

describe("a move to another service", { timeout: 60_000 }, () => {
	it("keeps tenants under their ids, and people sign in there with the passwords they had, each in his tenant", async () => {
		const tenants = [await served.service.createTenant("move-one"), await served.service.createTenant("move-two")];
		for (const [at, tenant] of tenants.entries())
			await served.service.signUp(tenant, "ada@example.com", `${PASSWORD} ${at}`);

		expect((await served.run(["tenant", "export", path("tenants")])).code).toBe(0);
		expect((await served.run(["user", "export", "--all-tenants", path("users")])).code).toBe(0);
		expect(new Set(parse("users").map(({ tenantId }) => tenantId))).toEqual(new Set(tenants));

		const made = await elsewhere.run(["tenant", "import", path("tenants"), "--json"]);
		expect(made.json()).toEqual({ lines: 2, imported: 2, existing: 0, refused: 0 });
		const moved = await elsewhere.run(["user", "import", path("users"), "--json"]);
		expect(moved.json()).toEqual({ lines: 2, imported: 2, existing: 0, refused: 0 });

		for (const [at, tenant] of tenants.entries()) {
			const signIn = (password: string) => elsewhere.service.signIn(tenant, "ada@example.com", password);
			expect((await signIn(`${PASSWORD} ${at}`)).status).toBe(200);
			expect((await signIn(`${PASSWORD} ${1 - at}`)).status).toBe(401);
		}
		// run again, it finds everybody there
		for (const noun of ["tenant", "user"]) {
			const again = await elsewhere.run([noun, "import", path(`${noun}s`), "--json"]);
			expect(again.json()).toEqual({ lines: 2, imported: 0, existing: 2, refused: 0 });
		}
	});
});

describe("user export", { timeout: 60_000 }, () => {
	it("writes one tenant's users and nobody else's, by pages, into a file for its owner's eyes", async () => {
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

	it("leaves the file that was there, and nothing of its own, when it fails on its way", async () => {
		const tenant = await served.service.createTenant("half-way");
		put(
			"people",
			Array.from({ length: 600 }, (_, at) => person(`half-${at}`)),
		);
		await served.run(["user", "import", "--tenant", tenant, path("people")]);
		put("before", ["kept"]);
		served.gateway.intercept(({ query }, response) =>
			query.has("cursor") ? refuse(response, 500, { code: "INTERNAL_SERVER_ERROR" }) : false,
		);
		const failed = await served.run(["user", "export", "--tenant", tenant, path("before")]);
		expect(failed.code).toBe(1);
		expect(readFileSync(path("before"), "utf8")).toBe("kept\n");
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});

	it("refuses a folder before it asks for anybody, and leaves nothing beside it", async () => {
		mkdirSync(path("a-folder"));
		const failed = await served.run(["user", "export", "--all-tenants", path("a-folder"), "--json"]);
		expect(failed.error()).toMatchObject({ code: "FILE_UNWRITABLE", fix: expect.any(String) });
		expect(served.gateway.requests).toEqual([]);
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});

	it("takes away what it began where it cannot have its name in the end", async () => {
		await served.service.signUp(await served.service.createTenant("no-name"), "ada@example.com");
		served.gateway.intercept(() => {
			mkdirSync(path("taken"), { recursive: true });
			return false;
		});
		const failed = await served.run(["user", "export", "--all-tenants", path("taken"), "--json"]);
		expect(failed.error()).toMatchObject({ code: "FILE_UNWRITABLE" });
		expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
	});

	it("writes into a pipe or a device that is there, and leaves it there", async () => {
		await served.service.signUp(await served.service.createTenant("piped"), "piped@example.com");
		spawnSync("mkfifo", [path("pipe")]);
		const read = readFile(path("pipe"), "utf8");
		const exported = await served.run(["user", "export", "--all-tenants", path("pipe"), "--json"]);
		expect(exported.code).toBe(0);
		expect(statSync(path("pipe")).isFIFO()).toBe(true);
		expect(await read).toContain("piped@example.com");
		// and a link keeps leading to the file that it named
		writeFileSync(path("linked"), "");
		symlinkSync(path("linked"), path("link"));
		expect((await served.run(["user", "export", "--all-tenants", path("link")])).code).toBe(0);
		expect(readFileSync(path("linked"), "utf8")).toContain("piped@example.com");
	});

	it("takes what it began away when it is interrupted", async () => {
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

	it("shows no password hash on a terminal, and needs to be told whose users", async () => {
		const tenant = await served.service.createTenant("shown");
		const { code, screen } = await runInTerminal(["user", "export", "--tenant", tenant], { env: served.env });
		expect(code).toBe(1);
		expect(screen).toContain("FILE_MISSING");
		for (const args of [[], ["--tenant", tenant, "--all-tenants"]])
			expect((await served.run(["user", "export", ...args, "--json"])).error().code).toBe("USAGE");
		expect(served.gateway.requests).toEqual([]);
	});
});

describe("user import", { timeout: 60_000 }, () => {
	it("lists refused lines by number and code, imports the others, and exits with 1", async () => {
		const tenant = await served.service.createTenant("refusing");
		put("mixed", [
			person("first"),
			"{not json",
			"",
			{ ...person("canary-weak"), accounts: [{ providerId: "credential", password: "canary-hash" }] },
			{ name: "nobody" },
			person("last"),
			person("first"),
		]);
		const args = ["user", "import", "--tenant", tenant, path("mixed")];
		const ran = await served.run([...args, "--refused", path("refused"), "--json"]);
		expect(ran).toMatchObject({ code: 1, stderr: "" });
		expect(ran.json()).toEqual({ lines: 6, imported: 2, existing: 1, refused: 3 });
		expect(
			parse("refused")
				.map(({ line, code }) => [line, code])
				.sort(),
		).toEqual([
			[2, "LINE_NOT_JSON"],
			[4, "PASSWORD_HASH_NOT_ACCEPTED"],
			[5, "INVALID_USER"],
		]);
		expect(readFileSync(path("refused"), "utf8")).not.toContain("canary");

		const again = await served.run(args);
		expect(again.code).toBe(1);
		expect(again.stdout).toMatch(/^0 imported, 3 there already, 3 refused, in \d+\.\d s\n$/);
		expect(again.stderr).toMatch(/^line 4: PASSWORD_HASH_NOT_ACCEPTED {2}\S/m);
	});

	it("refuses lines of another tenant than --tenant, and lines of no tenant without it", async () => {
		const [one, two] = [await served.service.createTenant("line-one"), await served.service.createTenant("line-two")];
		const lines = [
			{ tenantId: one, ...person("a") },
			{ tenantId: two, ...person("b") },
			{ tenantId: "gone", ...person("c") },
			person("d"),
			{ tenantId: 5, ...person("e") },
		];
		const mixed = await served.run(["user", "import", "--tenant", one, put("lines", lines), "--json"]);
		expect(mixed.json()).toMatchObject({ imported: 2, refused: 3 });
		expect(mixed.stderr.match(/OTHER_TENANT/g)).toHaveLength(3);

		const each = await served.run(["user", "import", path("lines"), "--json", "--refused", path("refused")]);
		expect(each.json()).toMatchObject({ imported: 1, existing: 1, refused: 3 });
		expect(
			parse("refused")
				.map(({ line, code }) => [line, code])
				.sort(),
		).toEqual([
			[3, "TENANT_NOT_FOUND"],
			[4, "TENANT_ID_REQUIRED"],
			[5, "TENANT_ID_REQUIRED"],
		]);
		const exported = await served.run(["user", "export", "--tenant", two]);
		expect(exported.lines()).toMatchObject([{ email: "b@example.com" }]);
	});

	it("ends at the first answer that is not about a line, and says how to go on", async () => {
		const missing = await served.run(["user", "import", "--tenant", "missing", put("some", [person("x")])]);
		expect(missing.code).toBe(1);
		expect(missing.stderr).toContain("run the same command again");
		expect(missing.stderr).toContain("TENANT_NOT_FOUND");
		const nothing = await served.run(["user", "import", "--tenant", "missing", path("nowhere"), "--json"]);
		expect(nothing.error().code).toBe("FILE_UNREADABLE");
	});

	it("goes on through 429, 503 and broken connections, and loses and doubles nobody", async () => {
		const tenant = await served.service.createTenant("troubled");
		let calls = 0;
		served.gateway.intercept(async ({ path: called, body }, response, request) => {
			if (!called.endsWith("/tenant/import-users")) return false;
			calls += 1;
			if (calls === 2) return refuse(response, 429, {}, { "retry-after": "1" });
			if (calls === 3) return refuse(response, 503, { code: "STORE_UNAVAILABLE", message: "Not now" });
			if (calls !== 4) return false;
			// done, and nobody hears of it
			const authorization = String(request.headers.authorization);
			await served.service.post("/tenant/import-users", JSON.parse(body), { authorization });
			request.socket.destroy();
			return true;
		});
		const people = Array.from({ length: 2_300 }, (_, at) => person(`trouble-${at}`));
		const ran = await served.run(["user", "import", "--tenant", tenant, put("trouble", people), "--json"]);
		expect(ran.code).toBe(0);
		const { imported, existing } = ran.json() as { imported: number; existing: number };
		expect(imported + existing).toBe(2_300);
		expect(existing).toBeLessThanOrEqual(500);
		served.gateway.intercept(null);
		expect((await served.run(["user", "export", "--tenant", tenant])).lines()).toHaveLength(2_300);
	});

	it("halves what the server finds too long, and refuses the line that is", async () => {
		const tenant = await served.service.createTenant("long-lines");
		served.gateway.intercept(({ path: called, body }, response) =>
			called.endsWith("/tenant/import-users") && body.length > 20_000
				? refuse(response, 413, { code: "PAYLOAD_TOO_LARGE" })
				: false,
		);
		const people = Array.from({ length: 300 }, (_, at) => person(`long-${at}`));
		people[77] = { ...person("long-77"), image: `https://example.com/${"x".repeat(30_000)}` };
		const ran = await served.run(["user", "import", "--tenant", tenant, put("long", people), "--json"]);
		expect(ran.json()).toEqual({ lines: 300, imported: 299, existing: 0, refused: 1 });
		expect(ran.stderr).toBe(
			`${JSON.stringify({ line: 78, code: "BODY_TOO_LARGE", message: "This line is longer than the server's BODY_LIMIT" })}\n`,
		);
	});

	it("says how to open the server where moving is turned off", async () => {
		const closed = await createServed({ MANAGEMENT_TRANSFER: "false" });
		const tenant = await closed.service.createTenant("closed");
		for (const args of [
			["user", "export", "--tenant", tenant],
			["user", "import", "--tenant", tenant, put("one", [person("x")])],
			["tenant", "import", put("tenant", [{ id: "some", name: "Some", slug: "some" }])],
		]) {
			const refused = await closed.run([...args, "--json"]);
			expect(refused.error()).toMatchObject({
				code: "TRANSFER_DISABLED",
				fix: expect.stringContaining("MANAGEMENT_TRANSFER=true"),
			});
		}
		await closed.close();
	});
});

describe("tenant import", { timeout: 60_000 }, () => {
	it("refuses single lines, and imports the others", async () => {
		await served.service.createTenant("slug-taken");
		const lines = [
			{ id: "id-1", name: "One", slug: "one-1", metadata: { a: 1 } },
			{ id: "id-2", name: "Two", slug: "slug-taken" },
			{ id: "platform", name: "Platform", slug: "plat-form" },
			{ name: "None" },
			{ id: "id-3", name: "Three", slug: "-bad-" },
		];
		const ran = await served.run([
			"tenant",
			"import",
			put("tenant-lines", lines),
			"--refused",
			path("refused"),
			"--json",
		]);
		expect(ran).toMatchObject({ code: 1, stderr: "" });
		expect(ran.json()).toMatchObject({ imported: 1, refused: 4 });
		expect(
			parse("refused")
				.map(({ line, code }) => [line, code])
				.sort(),
		).toEqual([
			[2, "TENANT_SLUG_TAKEN"],
			[3, "TENANT_ID_TAKEN"],
			[4, "VALIDATION_ERROR"],
			[5, "INVALID_SLUG"],
		]);
		expect((await served.run(["tenant", "get", "id-1", "--json"])).json()).toMatchObject({ metadata: { a: 1 } });
	});
});

describe("a file that is larger than the memory", { timeout: 300_000 }, () => {
	it("is imported in full batches, whatever order its tenants come in, with a bar on a terminal", async () => {
		const file = path("large");
		// 70 MB, more than the command gets
		const image = `https://example.com/${"x".repeat(1_200)}`;
		for (let block = 0; block < 5; block += 1) {
			const lines = Array.from({ length: 10_000 }, (_, at) =>
				JSON.stringify({ tenantId: `tenant-${at % 20}`, ...person(`user-${block}-${at}`), image }),
			);
			writeFileSync(file, `${lines.join("\n")}\n`, { flag: "a" });
		}
		const batches: number[] = [];
		served.gateway.intercept(({ body }, response) => {
			served.gateway.requests.length = 0;
			const { users } = JSON.parse(body) as { users: unknown[] };
			batches.push(users.length);
			response.writeHead(200, { "content-type": "application/json" });
			return Boolean(response.end(JSON.stringify({ imported: users.length, existing: 0, refused: [] })));
		});
		let most = 0;
		const ran = await served.run(["user", "import", file, "--json"], {
			node: ["--max-old-space-size=64"],
			during: (child) => {
				const timer = setInterval(() => {
					try {
						const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
						most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
					} catch {
						clearInterval(timer);
					}
				}, 100);
				child.once("exit", () => clearInterval(timer));
			},
		});
		expect(ran.stderr).toBe("");
		expect(ran.json()).toEqual({ lines: 50_000, imported: 50_000, existing: 0, refused: 0 });
		expect(Math.max(...batches)).toBe(500);
		// full batches, and not one for each change of tenant
		expect(batches).toHaveLength(100);
		// kilobytes; the program takes about 120,000 of them before it reads a line
		expect(most).toBeLessThan(350_000);

		const [few] = readFileSync(file, "utf8").split("user-1-", 1);
		writeFileSync(path("few"), few?.slice(0, few.lastIndexOf("\n") + 1) ?? "");
		const { code, screen } = await runInTerminal(["user", "import", path("few")], { env: served.env });
		expect(code).toBe(0);
		expect(screen).toMatch(/Importing users {2}\[=*-*\] \d+%/);
		expect(screen).toContain("10,000 imported, 0 there already, 0 refused");
	});
});
