import { createServer } from "node:net";
import { startSmtp } from "test-kit/servers/smtp";
import { afterEach, expect, it } from "vitest";
import { createMailer } from "../../src/mail/mailer.ts";
import { keepLines } from "../auth/lines.ts";

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
	const { logger, lines } = keepLines();
	const mailer = createMailer({ url, from }, logger);
	closers.push(() => mailer.close());
	return { mailer, lines };
};
const MAIL = { to: "ada@example.com", subject: "Hello", text: "secret text", html: "<p>secret html</p>" };

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

it("names the tenant and the sender", async () => {
	const server = await smtp();
	const { mailer } = open(server.url);
	await mailer.send({ ...MAIL, onBehalfOf: "Acme" });
	const { mailer: nameless } = open(server.url, "auth@example.com");
	await nameless.send({ ...MAIL, onBehalfOf: "Acme" });
	expect(server.mails.map(({ from }) => from)).toEqual([
		{ name: "Acme via Example", address: "auth@example.com" },
		{ name: "Acme via example.com", address: "auth@example.com" },
	]);
});

it("allows no second recipient in an address, and no second header in a name", async () => {
	const server = await smtp();
	const { mailer } = open(server.url);
	await mailer.send({ ...MAIL, to: "ada@example.com, eve@example.com" });
	await mailer.send({ ...MAIL, to: "ada@example.com\r\nBcc: eve@example.com" });
	await mailer.send({ ...MAIL, onBehalfOf: "Acme\r\nBcc: eve@example.com\r\n", subject: "Hi\r\nBcc: eve@example.com" });
	for (const mail of server.mails) {
		expect(mail.envelope.to).not.toContain("eve@example.com");
		expect(mail.bcc ?? []).toEqual([]);
		expect(mail.raw).not.toMatch(/^bcc:/im);
	}
});

it("retries after a temporary rejection", async () => {
	let refusals = 1;
	const server = await smtp({
		onRcptTo: (_address, _session, callback) => {
			refusals -= 1;
			callback(refusals >= 0 ? Object.assign(new Error("greylisted"), { responseCode: 451 }) : null);
		},
	});
	const { mailer, lines } = open(server.url);
	await mailer.send(MAIL);
	expect(server.mails).toHaveLength(1);
	expect(lines.join("")).toContain("retrying a mail");
});

it("gives up immediately on a permanent rejection, and does not repeat its message", async () => {
	let asked = 0;
	const server = await smtp({
		onRcptTo: ({ address }, _session, callback) => {
			asked += 1;
			callback(Object.assign(new Error(`${address} unknown here`), { responseCode: 550 }));
		},
	});
	const { mailer, lines } = open(server.url);
	await mailer.send(MAIL);
	expect(asked).toBe(1);
	expect(lines.join("")).not.toContain("tried again");
	expect(lines.join("")).toContain("mail not sent");
	expect(lines.join("")).toContain("550");
	expect(lines.join("")).not.toMatch(/ada@example|unknown here|secret|Hello/);
});

it("does not throw without a server, and logs it without the mail or the password", async () => {
	const { mailer, lines } = open("smtp://me:hunter2@127.0.0.1:1");
	await mailer.send(MAIL);
	expect(lines.join("")).toContain("mail not sent");
	expect(lines.join("")).not.toMatch(/ada@example|secret|Hello|hunter2/);
	await expect(mailer.verify()).rejects.toThrow();
}, 20_000);

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

it("delivers pending mails before it closes", async () => {
	const server = await smtp({
		onMailFrom: (_address, _session, callback) => void setTimeout(callback, 300),
	});
	const { mailer } = open(server.url);
	const sent = mailer.send(MAIL);
	await mailer.close();
	expect(server.mails).toHaveLength(1);
	await sent;
});

it("waits for a letter that is still being written", async () => {
	const server = await smtp();
	const { mailer } = open(server.url);
	const write = async (): Promise<void> => {
		await new Promise((resolve) => setTimeout(resolve, 300));
		await mailer.send(MAIL);
	};
	mailer.follow(write());
	await mailer.close();
	closers.pop();
	expect(server.mails).toHaveLength(1);
});

it("queues at most a thousand mails for a server that does not respond", async () => {
	const silent = createServer(() => {});
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	const address = silent.address();
	const { mailer, lines } = open(`smtp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
	closers.pop();
	for (let count = 0; count < 1_000; count += 1) void mailer.send(MAIL);
	await mailer.send(MAIL);
	expect(lines.join("")).toContain("too many are pending");
	silent.close();
});
