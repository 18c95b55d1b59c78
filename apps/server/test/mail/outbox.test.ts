import { setTimeout as sleep } from "node:timers/promises";
import { PLATFORM } from "better-auth-tenants";
import { linkIn } from "test-kit/servers/smtp";
import { afterEach, expect, it } from "vitest";
import { DEAD_AFTER, upkeep } from "../../src/jobs/upkeep.ts";
import { pendingMails } from "../../src/mail/outbox.ts";
import { makeOutboxWorld } from "./outbox-world.ts";

type World = Awaited<ReturnType<typeof makeOutboxWorld>>;
let world: World;
afterEach(() => world.close());

const HOUR = 3_600;
const URL = "http://auth.example.com/reset?token=canary-token";
const reset = (tenantId: string, to: string) =>
	world.mailer?.send({ to, tenantId, request: { kind: "passwordReset", url: URL } });
/** Until every mail has been tried at least `times`, and none is being tried. */
const tried = (times: number) =>
	expect
		.poll(
			async () => (await world.stored()).filter(({ attempts, locked_by }) => attempts < times || locked_by !== null),
			{ timeout: 30_000 },
		)
		.toEqual([]);

it("loses no mail during an hour without a mail server, and sends each one once", async () => {
	world = await makeOutboxWorld();
	const { acme, globex } = world;
	const senders = [acme.id, globex.id, PLATFORM];
	for (let count = 0; count < 30; count += 1) await reset(senders[count % 3] ?? PLATFORM, `user-${count}@example.com`);
	for (const tenant of [acme, globex]) expect((await world.signUp(tenant.id, "ada@example.com")).status).toBe(200);
	// an hour in six steps: run_at, locks and expiry in the database are moved, the clock is not
	for (let step = 1; step <= 6; step += 1) {
		await tried(step);
		await upkeep(world.pool);
		await world.passTime(HOUR / 6);
	}
	expect(world.counts.mails).toEqual({ sent: 0, failed: 0 });
	const { pending, oldest } = await pendingMails(world.queue);
	expect(pending).toBe(32);
	expect(oldest).toBeGreaterThanOrEqual(HOUR);

	const { mails } = await world.startMailServer();
	await upkeep(world.pool);
	await world.passTime(HOUR / 6);
	await expect.poll(() => mails.length, { timeout: 30_000 }).toBe(32);
	await expect.poll(() => world.stored()).toEqual([]);
	expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(32);
	// counted when the mail server's answer arrives, a moment after the mail
	await expect.poll(() => world.counts.mails).toEqual({ sent: 32, failed: 0 });
	expect(await pendingMails(world.queue)).toEqual({ pending: 0, oldest: 0 });
}, 180_000);

it("gives a mail up when its link has expired, counts and logs it", async () => {
	world = await makeOutboxWorld();
	await reset(world.acme.id, "late@example.com");
	await world.mailer?.send({
		to: "invited@example.com",
		tenantId: world.globex.id,
		request: { kind: "invitation", page: "https://app.example.com/:id", id: "1", inviter: "a", organization: "b" },
	});
	await tried(1);
	await world.passTime(2 * HOUR);
	await expect.poll(() => world.counts.mails).toEqual({ sent: 0, failed: 1 });
	expect(world.lines.join("")).toContain("its link or code has expired");
	// a mail that is being tried would be scheduled again from now on
	await tried(2);
	const { mails } = await world.startMailServer();
	await world.passTime(22 * HOUR);
	// the invitation is valid for longer, and is still tried after a day
	await expect.poll(() => mails.map(({ envelope }) => envelope.to)).toEqual([["invited@example.com"]]);
	await expect.poll(() => world.stored()).toEqual([]);
	expect(world.lines.join("")).not.toMatch(/canary|late@example/);
});

it("stores no address, name or link that can be read, and nothing after the mail is sent", async () => {
	world = await makeOutboxWorld();
	await reset(world.acme.id, "ada@example.com");
	await tried(1);
	const before = JSON.stringify(await world.stored());
	expect(before).toContain("sealed");
	expect(before).not.toMatch(/canary|example\.com|http|Acme/);
	expect(before).not.toContain(world.acme.id);
	const { mailTo } = await world.startMailServer();
	await world.passTime(HOUR / 12);
	expect(linkIn(await mailTo("ada@example.com"))).toBe(URL);
	await expect.poll(() => world.stored()).toEqual([]);
	expect(world.lines.join("")).not.toMatch(/canary|ada@example/);
});

it("sends mails that were stored with an older secret, and reports a missing one", async () => {
	world = await makeOutboxWorld({ JOBS: "off" });
	await reset(world.acme.id, "ada@example.com");
	const { mails } = await world.startMailServer();
	const other = world.open({ JOBS: "on", AUTH_SECRET: "another-secret-of-32-characters-or-more" });
	await expect.poll(() => other.lines.join("")).toContain("could not be decrypted");
	await other.close();
	expect(mails).toEqual([]);
	const rotated = "2:a-new-secret-of-32-characters-or-more,1:test-secret-of-32-characters-or-more";
	world.open({ JOBS: "on", AUTH_SECRETS: rotated });
	await world.passTime(HOUR / 12);
	await expect.poll(() => mails).toHaveLength(1);
});

it("is left to other processes with JOBS=off", async () => {
	world = await makeOutboxWorld({ JOBS: "off" });
	const { mails } = await world.startMailServer();
	expect((await world.signUp(world.acme.id, "ada@example.com")).status).toBe(200);
	expect((await world.stored()).map(({ attempts }) => attempts)).toEqual([0]);
	const other = world.open({ JOBS: "on" });
	await expect.poll(() => mails).toHaveLength(1);
	await expect.poll(() => [world.counts.mails.sent, other.counts.mails.sent]).toEqual([0, 1]);
});

it("sends a mail again with the same Message-ID if the mail server's answer is lost", async () => {
	world = await makeOutboxWorld();
	const ids: string[] = [];
	await world.startMailServer({
		onData: (stream, session, callback) => {
			let text = "";
			stream.on("data", (chunk) => {
				text += String(chunk);
			});
			stream.once("end", () => {
				ids.push(/^message-id: (\S+)/im.exec(text)?.[1] ?? "");
				if (ids.length > 1) return callback();
				// accepted, but the sender does not hear of it
				callback(Object.assign(new Error("lost"), { responseCode: 421 }));
				void session;
			});
		},
	});
	await reset(world.acme.id, "ada@example.com");
	await expect.poll(() => ids, { timeout: 20_000 }).toHaveLength(2);
	expect(ids[0]).toMatch(/^<[\w-]{36}@example\.com>$/);
	expect(ids[1]).toBe(ids[0]);
});

it("does not send a mail twice if the database loses the result of its job", async () => {
	world = await makeOutboxWorld();
	const { mails } = await world.startMailServer({});
	// the job stays, as if its deletion had failed
	await world.pool.query(`create rule keep as on delete to tenants_jobs._private_jobs do instead nothing`);
	await reset(world.acme.id, "ada@example.com");
	await expect.poll(() => world.counts.mails.sent).toBe(1);
	await world.pool.query(`drop rule keep on tenants_jobs._private_jobs`);
	await world.passTime(DEAD_AFTER + 1);
	await world.pool.query("update tenants_jobs._private_jobs set locked_at = null, locked_by = null");
	await expect.poll(() => world.stored()).toEqual([]);
	expect(mails).toHaveLength(1);
});

it("gives up on a permanent rejection, and drops the mails of a deleted tenant", async () => {
	world = await makeOutboxWorld({ TENANT_CACHE_MAX_AGE: "0.1", DELETION_DRAIN_TIME: "0.1" });
	await reset(world.globex.id, "gone@example.com");
	await tried(1);
	await world.auth.api.deleteTenant({ body: { tenantId: world.globex.id } });
	// until this process has forgotten the tenant
	await sleep(200);
	const { mails } = await world.startMailServer({
		onRcptTo: ({ address }, _session, callback) =>
			callback(address.startsWith("nobody") ? Object.assign(new Error("unknown"), { responseCode: 550 }) : null),
	});
	await world.passTime(HOUR / 12);
	await reset(world.acme.id, "nobody@example.com");
	await reset(world.acme.id, "ada@example.com");
	await expect.poll(() => world.counts.mails).toEqual({ sent: 1, failed: 2 });
	await expect.poll(() => world.stored()).toEqual([]);
	expect(mails.map(({ envelope }) => envelope.to)).toEqual([["ada@example.com"]]);
	expect(world.lines.join("")).toContain("its tenant was deleted");
	expect(world.lines.join("")).toContain("the mail server rejected it");
});

it("returns 503 if a mail cannot be stored", async () => {
	world = await makeOutboxWorld();
	await world.startMailServer();
	expect((await world.signUp(world.acme.id, "known@example.com")).status).toBe(200);
	await world.pool.query("alter function tenants_jobs.add_job rename to add_job_elsewhere");
	const refused = await world.signUp(world.acme.id, "ada@example.com");
	expect([refused.status, refused.json.code]).toEqual([503, "STORE_UNAVAILABLE"]);
	expect(refused.cookies).toEqual([]);
	const body = { email: "known@example.com" };
	expect((await world.call("/request-password-reset", { tenant: world.acme.id, body })).status).toBe(503);
	await world.pool.query("alter function tenants_jobs.add_job_elsewhere rename to add_job");
	expect((await world.call("/request-password-reset", { tenant: world.acme.id, body })).status).toBe(200);
});

it("stores the mails of more sign-ups at once than the pool has connections", async () => {
	world = await makeOutboxWorld({ DATABASE_POOL_SIZE: "2", DATABASE_CONNECT_TIMEOUT: "30" });
	const { mails } = await world.startMailServer();
	const signUps = Array.from({ length: 6 }, (_, at) => world.signUp(world.acme.id, `ada-${at}@example.com`));
	expect((await Promise.all(signUps)).map(({ status }) => status)).toEqual(Array(6).fill(200));
	await expect.poll(() => mails).toHaveLength(6);
});
