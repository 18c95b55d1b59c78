import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runInTerminal } from "./support/run-command.ts";
import { createServed, type Served } from "./support/served.ts";

let served: Served;
beforeAll(async () => {
	served = await createServed();
});
beforeEach(() => {
	served.gateway.intercept(null);
	served.gateway.requests.length = 0;
});
afterAll(() => served.close());

type Tenant = { id: string; name: string; slug: string; metadata: unknown };

describe("tenant create, get and update", () => {
	it("creates a tenant, shows it by id and slug, and updates only the given fields", async () => {
		const made = await served.run([
			"tenant",
			"create",
			"--name",
			"Acme Inc.",
			"--slug",
			"acme",
			"--metadata",
			'{"plan":"pro"}',
			"--json",
		]);
		expect(made).toMatchObject({ code: 0, stderr: "" });
		const tenant = made.json() as Tenant;
		expect(tenant).toMatchObject({ name: "Acme Inc.", slug: "acme", metadata: { plan: "pro" } });

		expect((await served.run(["tenant", "get", tenant.id, "--json"])).json()).toEqual(tenant);
		expect((await served.run(["tenant", "get", "--slug", "acme", "--json"])).json()).toEqual(tenant);
		const updated = await served.run(["tenant", "update", tenant.id, "--name", "Acme GmbH", "--json"]);
		expect(updated.json()).toMatchObject({
			id: tenant.id,
			name: "Acme GmbH",
			slug: "acme",
			metadata: { plan: "pro" },
		});
	});

	it("prints one aligned field per line", async () => {
		const made = await served.run(["tenant", "create", "--name", "Beta", "--slug", "beta"]);
		expect(made.code).toBe(0);
		expect(made.stdout).toMatch(/^id {7}\S+\nslug {5}beta\nname {5}Beta\ncreated {2}\S+\nupdated {2}\S+\n$/);
	});

	it("prints the API's code, message and a fix, and exits with 1", async () => {
		await served.service.createTenant("taken");
		const args = ["tenant", "create", "--name", "Other", "--slug", "taken"];
		const refused = await served.run(args);
		expect(refused).toMatchObject({ code: 1, stdout: "" });
		expect(refused.stderr).toBe("Another tenant has this slug (TENANT_SLUG_TAKEN)\nChoose another slug.\n");
		const forMachines = await served.run([...args, "--json"]);
		expect(forMachines.stdout).toBe("");
		expect(forMachines.error()).toEqual({
			code: "TENANT_SLUG_TAKEN",
			message: "Another tenant has this slug",
			fix: "Choose another slug.",
		});
	});

	it("does not call the server if the command is incomplete", async () => {
		for (const args of [
			["tenant", "get"],
			["tenant", "get", "some-id", "--slug", "acme"],
			["tenant", "update", "some-id"],
			["tenant", "create", "--name", "Acme"],
			["tenant", "create", "--name", "Acme", "--slug", "acme", "--metadata", "[1]"],
			["tenant", "nonsense"],
		]) {
			const ran = await served.run([...args, "--json"]);
			expect(ran.code).toBe(1);
			expect(ran.error().code).toMatch(/^(USAGE|INVALID_METADATA)$/);
		}
		expect(served.gateway.requests).toEqual([]);
	});
});

describe("tenant list", () => {
	it("reads all pages, and uses only the cursor of the next-page link", async () => {
		for (let number = 0; number < 5; number += 1) await served.service.createTenant(`page-${number}`);
		// the server links to its public URL, which is not reachable here
		served.gateway.intercept(({ path, query }) => {
			if (path.endsWith("/tenant/list")) query.set("limit", "2");
			return false;
		});
		const listed = await served.run(["tenant", "list", "--json"]);
		expect(listed).toMatchObject({ code: 0, stderr: "" });
		const tenants = listed.lines() as Tenant[];
		expect(new Set(tenants.map(({ id }) => id)).size).toBe(tenants.length);
		expect(tenants.map(({ slug }) => slug)).toEqual(expect.arrayContaining(["page-0", "page-4", "taken"]));
		expect(served.gateway.requests.length).toBeGreaterThan(2);
	});

	it("stops at the limit, and requests no more", async () => {
		const listed = await served.run(["tenant", "list", "--limit", "3"]);
		expect(listed.stdout.trimEnd().split("\n")).toHaveLength(3);
		expect(served.gateway.requests.map(({ query }) => query.get("limit"))).toEqual(["3"]);
		expect((await served.run(["tenant", "list", "--limit", "0"])).code).toBe(1);
	});

	it("ends silently when the reader closes the pipe", async () => {
		const ran = await served.run(["tenant", "list"], { during: (child) => child.stdout?.destroy() });
		expect(ran).toMatchObject({ code: 0, stderr: "" });
	});

	it("shows no escape sequence from a response", async () => {
		served.gateway.intercept((_seen, response) => {
			const tenant = { id: "evil", slug: "evil", metadata: null, createdAt: "", updatedAt: "" };
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify([{ ...tenant, name: "\u001b[2Jgone\u009b31m\u202eright" }]));
			return true;
		});
		const listed = await served.run(["tenant", "list"]);
		expect(listed.stdout).toBe("evil  evil  ?[2Jgone?31m?right\n");
	});
});

describe("tenant delete", () => {
	it("deletes with --yes, and only that tenant", async () => {
		const [gone, stays] = [await served.service.createTenant("gone"), await served.service.createTenant("stays")];
		const deleted = await served.run(["tenant", "delete", gone, "--yes", "--json"]);
		expect(deleted).toMatchObject({ code: 0, stderr: "" });
		expect(deleted.json()).toEqual({ success: true, tenantId: gone });
		expect((await served.run(["tenant", "get", gone, "--json"])).error().code).toBe("TENANT_NOT_FOUND");
		expect((await served.run(["tenant", "get", stays])).code).toBe(0);
	});

	it("asks for the slug, announces the drain time, and deletes nothing for any other input", async () => {
		const id = await served.service.createTenant("asked");
		for (const stdin of ["", "other\n", "yes\n"]) {
			const kept = await served.run(["tenant", "delete", id], { stdin });
			expect(kept.code).toBe(1);
			expect(kept.stderr).toContain("NOT_CONFIRMED");
		}
		expect((await served.run(["tenant", "get", id])).code).toBe(0);
		const deleted = await served.run(["tenant", "delete", id], { stdin: "asked\n" });
		expect(deleted.code).toBe(0);
		expect(deleted.stderr).toContain("DELETION_DRAIN_TIME");
		expect((await served.run(["tenant", "get", id])).code).toBe(1);
	});

	it("shows the elapsed time on a terminal", async () => {
		const id = await served.service.createTenant("watched");
		served.gateway.intercept(async ({ path }) => {
			if (path.endsWith("/tenant/delete")) await new Promise((resolve) => setTimeout(resolve, 1_500));
			return false;
		});
		const { code, screen } = await runInTerminal(["tenant", "delete", id], { env: served.env, typed: "watched\r" });
		expect(code).toBe(0);
		expect(screen).toMatch(/Deleting.* [1-9]\d*s/);
		expect(screen).toContain(`Deleted ${id}`);
	});

	it("retries after a lost response, and treats a missing tenant as success", async () => {
		const id = await served.service.createTenant("lost-answer");
		let isFirst = true;
		served.gateway.intercept(async ({ path, body }, response, request) => {
			if (!path.endsWith("/tenant/delete") || !isFirst) return false;
			isFirst = false;
			await served.service.post("/tenant/delete", JSON.parse(body), {
				authorization: String(request.headers.authorization),
			});
			response.writeHead(504).end();
			return true;
		});
		expect((await served.run(["tenant", "delete", id, "--yes"])).code).toBe(0);
		// without a lost response, an unknown tenant is an error
		expect((await served.run(["tenant", "delete", id, "--yes", "--json"])).error().code).toBe("TENANT_NOT_FOUND");
	});
});
