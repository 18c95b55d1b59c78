import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { MANAGEMENT_KEY } from "../support/environment.ts";
import { createWorld } from "../support/world.ts";

const start = async (environment: Record<string, string>) => {
	const world = await createWorld({ environment });
	onTestFinished(world.close);
	return { log: world.log, service: await world.start() };
};

const newFolder = async (): Promise<string> => {
	const folder = await mkdtemp(join(tmpdir(), "audit-log-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	return folder;
};

it("is part of the log, whatever the level", async () => {
	const { log, service } = await start({ LOG_LEVEL: "silent" });
	await service.createTenant("acme");
	expect(log.lines().filter(({ audit }) => audit)).toMatchObject([
		{ level: "info", msg: "management", audit: { action: "tenant:create", outcome: "allowed" } },
	]);
});

it("is a file of its own if there is one", async () => {
	const file = join(await newFolder(), "audit.ndjson");
	const { log, service } = await start({ AUDIT_FILE: file });
	await service.createTenant("acme");
	await service.createTenant("globex");
	const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
	expect(lines.map((line) => JSON.parse(line).audit.action)).toEqual(["tenant:create", "tenant:create"]);
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect(log.text()).not.toContain('"audit"');
});

it("stops the action if an entry cannot be written", async () => {
	const { service } = await start({ AUDIT_FILE: await newFolder() });
	const body = { name: "Acme", slug: "acme" };
	const answer = await service.post("/tenant/create", body, { authorization: `Bearer ${MANAGEMENT_KEY}` });
	expect([answer.status, await answer.json()]).toMatchObject([503, { code: "AUDIT_UNAVAILABLE" }]);
});
