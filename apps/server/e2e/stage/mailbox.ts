import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

export type Mail = { to: string; from: string; subject: string; text: string };

/** A mail server on loopback that keeps what it is given. */
export const startMailbox = async () => {
	const mails: Mail[] = [];
	const server = new SMTPServer({
		disabledCommands: ["STARTTLS", "AUTH"],
		onData: (stream, session, done) => {
			const chunks: Buffer[] = [];
			stream.on("data", (chunk: Buffer) => chunks.push(chunk));
			stream.on("end", async () => {
				const { subject, from, text } = await PostalMime.parse(Buffer.concat(chunks));
				const to = session.envelope.rcptTo.map(({ address }) => address).join(", ");
				mails.push({ to, from: from?.name ?? "", subject: subject ?? "", text: text ?? "" });
				done();
			});
		},
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.server.address() as AddressInfo;
	return {
		url: `smtp://127.0.0.1:${port}`,
		mails,
		close: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
};
