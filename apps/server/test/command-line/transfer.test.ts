import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runInTerminal } from "./support/run-command.ts";
import { createServed, type Served } from "./support/served.ts";
import { createTransferFiles, person } from "./support/transfer-files.ts";

const PASSWORD = "correct horse battery";
const { path, parse, put } = createTransferFiles();

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
}, 60_000);

describe("a transfer to another server", { timeout: 60_000 }, () => {
	it("keeps tenant ids, and users sign in there with their old passwords, each in their tenant", async () => {
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
		// a second run finds everything imported
		for (const noun of ["tenant", "user"]) {
			const again = await elsewhere.run([noun, "import", path(`${noun}s`), "--json"]);
			expect(again.json()).toEqual({ lines: 2, imported: 0, existing: 2, refused: 0 });
		}
	});
});

describe("tenant import", { timeout: 60_000 }, () => {
	it("refuses invalid lines, and imports the others", async () => {
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

describe("a file larger than the memory", { timeout: 300_000 }, () => {
	it("is imported in full batches for any order of tenants, with a progress bar on a terminal", async () => {
		const file = path("large");
		// 70 MB, more than the command's memory
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
		// full batches, not one per change of tenant
		expect(batches).toHaveLength(100);
		// kilobytes; the program uses about 120,000 before it reads a line
		expect(most).toBeLessThan(350_000);

		const [few] = readFileSync(file, "utf8").split("user-1-", 1);
		writeFileSync(path("few"), few?.slice(0, few.lastIndexOf("\n") + 1) ?? "");
		const { code, screen } = await runInTerminal(["user", "import", path("few")], { env: served.env });
		expect(code).toBe(0);
		expect(screen).toMatch(/Importing users {2}\[=*-*\] \d+%/);
		expect(screen).toContain("10,000 imported, 0 already exist, 0 refused");
	});
});
