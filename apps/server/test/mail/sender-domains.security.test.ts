import { startSmtp } from "test-kit/servers/smtp";
import { expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../auth/world.ts";

// threat 102
it("stops sending from a domain that left MAIL_SENDER_DOMAINS, and sends from MAIL_FROM", async () => {
	const smtp = await startSmtp();
	const world = await makeWorld({
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		MAIL_SENDER_DOMAINS: "acme.example,globex.example",
		JOBS: "off",
	});
	onTestFinished(async () => {
		await world.close();
		await smtp.close();
	});
	for (const { id, slug } of [world.acme, world.globex])
		await world.auth.api.updateTenant({
			body: { tenantId: id, metadata: { mail: { from: `noreply@${slug}.example`, locale: "es" } } },
		});
	/** The senders of one mail per tenant, sent by a process with these domains. */
	const sendersWith = async (domains: string, user: string) => {
		const process = world.open({ JOBS: "on", MAIL_SENDER_DOMAINS: domains });
		const mails = [];
		for (const { id, name } of [world.acme, world.globex]) {
			expect((await process.signUp(id, `${user}@example.com`)).status).toBe(200);
			mails.push(await smtp.mailTo(`${user}@example.com`, new RegExp(name)));
		}
		await process.close();
		const warnings = process.lines.filter((line) => line.includes("MAIL_SENDER_DOMAINS"));
		return { senders: mails.map(({ from }) => from), warnings: warnings.length };
	};
	expect(await sendersWith("acme.example,globex.example", "ada")).toEqual({
		senders: [
			{ name: "Acme", address: "noreply@acme.example" },
			{ name: "Globex", address: "noreply@globex.example" },
		],
		warnings: 0,
	});
	expect(await sendersWith("globex.example", "bo")).toEqual({
		senders: [
			{ name: "Acme via Example", address: "auth@example.com" },
			{ name: "Globex", address: "noreply@globex.example" },
		],
		warnings: 1,
	});
});

// threat 102
it("sends a waiting mail with the settings of its tenant at that time, and never with those of a namesake", async () => {
	const smtp = await startSmtp();
	const world = await makeWorld({
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		MAIL_SENDER_DOMAINS: "acme.example,globex.example",
		JOBS: "off",
	});
	onTestFinished(async () => {
		await world.close();
		await smtp.close();
	});
	const mail = { from: "noreply@acme.example", locale: "de" };
	await world.auth.api.updateTenant({ body: { tenantId: world.acme.id, metadata: { mail } } });
	for (const { id, slug } of [world.acme, world.globex])
		expect((await world.signUp(id, `ada@${slug}.example`)).status).toBe(200);
	await world.auth.api.deleteTenant({ body: { tenantId: world.acme.id } });
	await world.pool.query("delete from tenant where id = $1", [world.acme.id]);
	const metadata = { mail: { from: "noreply@globex.example", locale: "ja" } };
	await world.auth.api.createTenant({ body: { name: "Acme", slug: "acme", metadata } });
	await world.auth.api.updateTenant({ body: { tenantId: world.globex.id, metadata } });
	const process = world.open({ JOBS: "on" });
	expect(await smtp.mailTo("ada@globex.example")).toMatchObject({
		subject: "Globex のメールアドレスの確認",
		from: { name: "Globex", address: "noreply@globex.example" },
	});
	await expect.poll(() => process.counts.mails).toEqual({ sent: 1, failed: 1 });
	expect(process.lines.join("")).toContain("its tenant was deleted");
	expect(smtp.mails).toHaveLength(1);
});
