import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refuse } from "./support/gateway.ts";
import { createServed, type Served } from "./support/served.ts";
import { createTransferFiles, person } from "./support/transfer-files.ts";

const { path, parse, put } = createTransferFiles();

let served: Served;
beforeAll(async () => {
	served = await createServed();
}, 60_000);
beforeEach(() => {
	served.gateway.intercept(null);
	served.gateway.requests.length = 0;
});
afterAll(() => served.close(), 60_000);

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
		expect(again.stdout).toMatch(/^0 imported, 3 already exist, 3 refused, in \d+\.\d s\n$/);
		expect(again.stderr).toMatch(/^line 4: PASSWORD_HASH_NOT_ACCEPTED {2}\S/m);
	});

	it("refuses lines that name another tenant than --tenant, and lines without a tenant", async () => {
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

	it("ends at the first error that is not about a line, and says how to continue", async () => {
		const missing = await served.run(["user", "import", "--tenant", "missing", put("some", [person("x")])]);
		expect(missing.code).toBe(1);
		expect(missing.stderr).toContain("Run the same command again");
		expect(missing.stderr).toContain("TENANT_NOT_FOUND");
		const nothing = await served.run(["user", "import", "--tenant", "missing", path("nowhere"), "--json"]);
		expect(nothing.error().code).toBe("FILE_UNREADABLE");
	});

	it("continues after 429, 503 and broken connections, without losing or duplicating users", async () => {
		const tenant = await served.service.createTenant("troubled");
		let calls = 0;
		served.gateway.intercept(async ({ path: called, body }, response, request) => {
			if (!called.endsWith("/tenant/import-users")) return false;
			calls += 1;
			if (calls === 2) return refuse(response, 429, {}, { "retry-after": "1" });
			if (calls === 3) return refuse(response, 503, { code: "STORE_UNAVAILABLE", message: "Not now" });
			if (calls !== 4) return false;
			// imported, but the response is lost
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

	it("splits batches that are too large, and refuses the line that is too long", async () => {
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
			`${JSON.stringify({ line: 78, code: "BODY_TOO_LARGE", message: "This line exceeds the server's BODY_LIMIT" })}\n`,
		);
	});

	it("says how to enable transfers if they are turned off", async () => {
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
