import { passTimeInQueue } from "test-kit/pass-time-in-queue";
import { linkIn, startSmtp } from "test-kit/servers/smtp";
import { expect, it, onTestFinished } from "vitest";
import { makeWorld, PASSWORD } from "../auth/world.ts";
import { makeOutboxWorld } from "./outbox-world.ts";

it("keeps host, link and name of each tenant when mails of both are retried together", async () => {
	let isDown = true;
	const smtp = await startSmtp({
		onMailFrom: (_address, _session, callback) =>
			callback(isDown ? Object.assign(new Error("later"), { responseCode: 451 }) : null),
	});
	const world = await makeWorld({
		AUTH_URL: "https://auth.example.com",
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		TENANT_RESOLVER: "subdomain",
		TENANT_DOMAIN: "app.example.com",
	});
	onTestFinished(async () => {
		await world.close();
		await smtp.close();
	});
	const hostOf = (slug: string) => `${slug}.app.example.com`;
	const post = (slug: string, path: string, body: object) =>
		world.call(path, { host: hostOf(slug), headers: { origin: `https://${hostOf(slug)}` }, body });
	// the same address in both, interleaved, so that jobs of one tenant are woken by requests of the other
	for (const slug of ["acme", "globex"]) {
		const body = { name: "Ada", email: "ada@example.com", password: PASSWORD };
		expect((await post(slug, "/tenant/sign-up/email", body)).status).toBe(200);
	}
	const resets = Array.from({ length: 6 }, (_, at) =>
		post(at % 2 === 0 ? "acme" : "globex", "/request-password-reset", { email: "ada@example.com" }),
	);
	for (const { status } of await Promise.all(resets)) expect(status).toBe(200);
	const attempts = async () =>
		(await world.pool.query("select attempts from tenants_jobs.jobs")).rows.map((row) => Number(row.attempts));
	await expect.poll(async () => (await attempts()).filter((count) => count > 0)).toHaveLength(8);
	isDown = false;
	await passTimeInQueue(world.pool, 300);
	await expect.poll(() => smtp.mails.length, { timeout: 30_000 }).toBe(8);

	for (const [own, other] of [
		["Acme", "Globex"],
		["Globex", "Acme"],
	] as const) {
		const mails = smtp.mails.filter(({ from }) => from?.name === `${own} via Example`);
		expect(mails).toHaveLength(4);
		for (const mail of mails) {
			expect(new URL(linkIn(mail)).host).toBe(hostOf(own.toLowerCase()));
			expect(mail.subject).toContain(own);
			expect(`${mail.raw}${mail.text}${mail.html}`).not.toMatch(new RegExp(other, "i"));
		}
	}
	// each link works in its own tenant
	const verification = smtp.mails.find(({ subject }) => subject?.includes("Confirm") && subject.includes("Acme"));
	const { pathname, search } = new URL(linkIn(verification ?? smtp.mails[0] ?? ({} as never)));
	expect((await world.call(`${pathname}${search}`, { host: hostOf("globex") })).cookies).toEqual([]);
	expect((await world.call(`${pathname}${search}`, { host: hostOf("acme") })).cookies.join()).toContain("session");
});

// threat 176
it("sends the mail of a tenant before the many mails that another one has waiting", async () => {
	const world = await makeOutboxWorld();
	onTestFinished(() => world.close());
	const send = (tenantId: string, to: string) =>
		world.mailer?.send({ to, tenantId, request: { kind: "twoFactorCode", code: "123456" } });
	// the mail server is away, so that all of them wait
	for (let count = 0; count < 40; count += 1) await send(world.acme.id, `user-${count}@example.com`);
	await send(world.globex.id, "ada@example.com");
	await expect
		.poll(async () => (await world.stored()).every(({ attempts, locked_by }) => attempts > 0 && locked_by === null))
		.toBe(true);
	const { mails } = await world.startMailServer();
	await world.passTime(60);
	await expect.poll(() => mails.length, { timeout: 30_000 }).toBe(41);
	// five are sent at the same time
	expect(mails.slice(0, 10).flatMap(({ envelope }) => envelope.to)).toContain("ada@example.com");
});
