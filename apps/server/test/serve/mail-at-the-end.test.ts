import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { expect, it } from "vitest";
import { sendRaw } from "../support/raw-http.ts";
import { startSlowProxy } from "../support/slow-proxy.ts";
import { createWorld } from "../support/world.ts";

it("delivers the mails of the last requests before the server ends", async () => {
	const mails: string[] = [];
	const smtp = new SMTPServer({
		authOptional: true,
		disabledCommands: ["STARTTLS"],
		onData: (stream, _session, done) => {
			let text = "";
			stream.on("data", (chunk) => {
				text += String(chunk);
			});
			// as slow as real mail servers
			stream.once("end", () => {
				mails.push(text);
				setTimeout(done, 300);
			});
		},
	});
	smtp.listen(0, "127.0.0.1");
	await once(smtp.server, "listening");
	const { port } = smtp.server.address() as AddressInfo;
	const world = await createWorld({
		environment: {
			SMTP_URL: `smtp://127.0.0.1:${port}`,
			MAIL_FROM: "Test <test@example.com>",
			REQUIRE_EMAIL_VERIFICATION: "true",
		},
	});
	let proxy: Awaited<ReturnType<typeof startSlowProxy>> | undefined;
	try {
		const before = await world.start();
		const acme = await before.createTenant("acme");
		const emails = [1, 2, 3].map((at) => `ada${at}@example.com`);
		await Promise.all(emails.map((email) => before.signUp(acme, email, "canary-password")));
		await before.close();
		expect(mails.splice(0)).toHaveLength(3);

		// a new process, which must look up the tenant before it can send mail, with a slow database
		const database = new URL(world.database.url);
		proxy = await startSlowProxy(Number(database.port), 20);
		database.port = String(proxy.port);
		const service = await world.start({ database: { ...world.config.database, urls: [database.href] } });
		const ask = (email: string): Promise<string> => {
			const body = JSON.stringify({ email, tenantId: acme });
			return sendRaw(
				service.port,
				`POST /api/auth/request-password-reset HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
				// it closes after the response; starting a server takes long on a busy machine
				20_000,
			);
		};
		for (const answer of await Promise.all(emails.map(ask))) expect(answer).toContain("200 OK");
		await service.close();
		expect(mails).toHaveLength(3);
		const tokens = mails.map((mail) => /reset-password\/([\w-]{10,})/.exec(mail.replace(/=\r\n/g, ""))?.[1] ?? "");
		for (const token of tokens) {
			expect(token).not.toBe("");
			expect(world.log.text()).not.toContain(token);
		}
		expect(world.log.text()).not.toContain("canary");
	} finally {
		await world.close();
		proxy?.close();
		smtp.close();
	}
});
