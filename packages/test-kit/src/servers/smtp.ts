import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type Received = Email & { envelope: { from: string; to: string[] }; raw: string };

/** A mail server on loopback that keeps every mail. With `at`, it listens where an earlier one did. */
export const startSmtp = async (options: SMTPServerOptions = {}, at = 0) => {
	const mails: Received[] = [];
	let connections = 0;
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ["STARTTLS"],
		logger: false,
		onConnect: (_session, callback) => {
			connections += 1;
			callback();
		},
		onData: async (stream, session, callback) => {
			const chunks: Buffer[] = [];
			for await (const chunk of stream) chunks.push(chunk);
			const raw = Buffer.concat(chunks).toString();
			const { mailFrom, rcptTo } = session.envelope;
			mails.push({
				...(await PostalMime.parse(raw)),
				envelope: { from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address) },
				raw,
			});
			callback();
		},
		...options,
	});
	// clients that disconnect are not a failure
	server.on("error", () => {});
	await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
	const { port } = server.server.address() as AddressInfo;

	/** Waits for the newest mail to an address. */
	const mailTo = async (address: string, subject = /./): Promise<Received> => {
		const deadline = Date.now() + 30_000;
		for (;;) {
			const found = mails.findLast((mail) => mail.envelope.to.includes(address) && subject.test(mail.subject ?? ""));
			if (found) return found;
			if (Date.now() > deadline) throw new Error(`no mail to ${address}`);
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	};
	return {
		url: `smtp://127.0.0.1:${port}`,
		port,
		mails,
		mailTo,
		connections: () => connections,
		close: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
};

/** The link in a mail's text. */
export const linkIn = (mail: Received): string => /^https?:\/\/\S+$/m.exec(mail.text ?? "")?.[0] ?? "";
/** The code in a mail, on its own line. */
export const codeIn = (mail: Received): string => /^\d{4,10}$/m.exec(mail.text ?? "")?.[0] ?? "";
