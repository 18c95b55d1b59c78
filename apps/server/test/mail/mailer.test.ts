import { startSmtp } from "test-kit/servers/smtp";
import { afterEach, expect, it } from "vitest";
import { createMailer, MailFailure } from "../../src/mail/mailer.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const smtp = async (options?: Parameters<typeof startSmtp>[0]) => {
	const started = await startSmtp(options);
	closers.push(started.close);
	return started;
};
const open = (url: string, from = "Example <auth@example.com>") => {
	const mailer = createMailer({ url, from });
	closers.push(() => mailer.close());
	return { mailer };
};
const MAIL = {
	id: "0f9b",
	from: { name: "Example", address: "auth@example.com" },
	to: "ada@example.com",
	subject: "Hello",
	text: "secret text",
	html: "<p>secret html</p>",
};

it("sends text and HTML from the configured sender, over persistent connections", async () => {
	const server = await smtp();
	const { mailer } = open(server.url);
	for (let count = 0; count < 3; count += 1) await mailer.send(MAIL);
	expect(server.mails).toHaveLength(3);
	expect(server.connections()).toBe(1);
	const [mail] = server.mails;
	expect(mail).toMatchObject({
		subject: "Hello",
		from: { name: "Example", address: "auth@example.com" },
		to: [{ address: "ada@example.com" }],
		envelope: { from: "auth@example.com", to: ["ada@example.com"] },
	});
	expect(mail?.text).toContain("secret text");
	expect(mail?.html).toContain("secret html");
	expect(mail?.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
});

it("sends from the given sender, with an address for replies", async () => {
	const server = await smtp();
	const { mailer } = open(server.url);
	await mailer.send({ ...MAIL, from: { name: "Acme", address: "noreply@acme.com" }, replyTo: "help@acme.com" });
	await mailer.send({ ...MAIL, from: { name: "Globex, Inc.", address: "auth@globex.com" } });
	expect(server.mails).toMatchObject([
		{
			from: { name: "Acme", address: "noreply@acme.com" },
			replyTo: [{ address: "help@acme.com" }],
			envelope: { from: "noreply@acme.com" },
			messageId: "<0f9b@example.com>",
		},
		{ from: { name: "Globex, Inc.", address: "auth@globex.com" }, envelope: { from: "auth@globex.com" } },
	]);
	expect(server.mails[1]?.replyTo).toBeUndefined();
});

it("allows no second recipient in an address, and no second header in a name", async () => {
	const server = await smtp();
	const { mailer } = open(server.url);
	// some are refused, which is fine too
	await mailer.send({ ...MAIL, to: "ada@example.com, eve@example.com" }).catch(() => {});
	await mailer.send({ ...MAIL, to: "ada@example.com\r\nBcc: eve@example.com" }).catch(() => {});
	await mailer.send({ ...MAIL, replyTo: "ada@example.com, eve@example.com" }).catch(() => {});
	await mailer.send({ ...MAIL, replyTo: "ada@example.com\r\nBcc: eve@example.com" }).catch(() => {});
	const from = { name: "Acme\r\nBcc: eve@example.com\r\n", address: "auth@example.com" };
	await mailer.send({ ...MAIL, from, subject: "Hi\r\nBcc: eve@example.com" });
	for (const mail of server.mails) {
		expect(mail.envelope.to).not.toContain("eve@example.com");
		expect(mail.bcc ?? []).toEqual([]);
		expect((mail.replyTo ?? []).map(({ address }) => address)).not.toContain("eve@example.com");
		expect(mail.raw).not.toMatch(/^bcc:/im);
	}
});

/** The failure of a send. */
const failureOf = async (send: Promise<void>): Promise<MailFailure> => {
	const error: unknown = await send.then(
		() => null,
		(reason: unknown) => reason,
	);
	if (!(error instanceof MailFailure)) throw new Error("the mail was accepted");
	return error;
};

it.each([
	[451, false],
	[550, true],
])("tries once, and says whether %s is final, without the server's message", async (responseCode, isFinal) => {
	let asked = 0;
	const server = await smtp({
		onRcptTo: ({ address }, _session, callback) => {
			asked += 1;
			callback(Object.assign(new Error(`${address} unknown here`), { responseCode }));
		},
	});
	const failure = await failureOf(open(server.url).mailer.send(MAIL));
	expect(asked).toBe(1);
	expect(failure.isFinal).toBe(isFinal);
	expect(failure.details).toMatchObject({ responseCode });
	expect(JSON.stringify([failure.details, failure.message])).not.toMatch(/ada@example|unknown here|secret|Hello/);
});

it("does not blame the mail for a rejected login or a server that is down", async () => {
	const server = await smtp({
		authOptional: false,
		allowInsecureAuth: true,
		onAuth: (_auth, _session, callback) => callback(new Error("no")),
	});
	for (const url of [`smtp://me:hunter2@127.0.0.1:${server.port}`, "smtp://me:hunter2@127.0.0.1:1"]) {
		const failure = await failureOf(open(url).mailer.send(MAIL));
		expect(failure.isFinal).toBe(false);
		expect(JSON.stringify([failure.details, failure.message])).not.toContain("hunter2");
	}
	await expect(open("smtp://127.0.0.1:1").mailer.verify()).rejects.toThrow();
});

it("gives every attempt at a mail the same Message-ID", async () => {
	const server = await smtp();
	const { mailer } = open(server.url);
	await mailer.send(MAIL);
	await mailer.send(MAIL);
	expect(server.mails.map(({ messageId }) => messageId)).toEqual(["<0f9b@example.com>", "<0f9b@example.com>"]);
});

it("verifies credentials", async () => {
	const server = await smtp({
		authOptional: false,
		allowInsecureAuth: true,
		onAuth: ({ username, password }, _session, callback) =>
			username === "me" && password === "p@ss" ? callback(null, { user: "me" }) : callback(new Error("no")),
	});
	await open(`smtp://me:p%40ss@127.0.0.1:${server.port}`).mailer.verify();
	await expect(open(`smtp://me:wrong@127.0.0.1:${server.port}`).mailer.verify()).rejects.toThrow();
});

it("sends no password without TLS, unless the URL allows it", async () => {
	const passwords: unknown[] = [];
	const server = await smtp({
		allowInsecureAuth: true,
		onAuth: ({ password }, _session, callback) => {
			passwords.push(password);
			callback(null, { user: "me" });
		},
	});
	// loopback under another name, which counts as a remote host
	const url = `smtp://me:hunter2@[::ffff:127.0.0.1]:${server.port}`;
	await expect(open(url).mailer.verify()).rejects.toThrow(/STARTTLS/);
	expect(passwords).toEqual([]);
	await open(`${url}?requireTLS=false`).mailer.verify();
	expect(passwords).toEqual(["hunter2"]);
});
