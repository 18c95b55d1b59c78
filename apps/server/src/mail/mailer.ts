import { createTransport } from "nodemailer";
import type { MailConfig } from "../config/mail.ts";
import { parseSender } from "../config/sender.ts";
import { domainOf } from "../lib/mail-address.ts";
import { withinTime } from "../lib/time-limit.ts";
import type { SentFrom } from "./senders.ts";

type Mail = {
	/** the same for every attempt at one mail, so a mail server can drop a second copy */
	id: string;
	to: string;
	subject: string;
	text: string;
	html: string;
} & SentFrom;

export type Mailer = {
	/** Resolves when the mail server has accepted the mail. Throws a `MailFailure`. */
	send(mail: Mail): Promise<void>;
	/** Throws if the server cannot be reached or rejects our credentials. */
	verify(): Promise<void>;
	/** Ends all connections. Mails that are being sent fail. */
	close(): void;
};

/** A mail that was not accepted. Has no message of the server, which would repeat addresses. */
export class MailFailure extends Error {
	override name = "MailFailure";
	/** whether another attempt is pointless */
	readonly isFinal: boolean;
	readonly details: Record<string, unknown>;

	constructor(error: unknown) {
		super("The mail server did not accept the mail");
		this.isFinal = isFinal(error);
		this.details = describeFailure(error);
	}
}

const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000, dnsTimeout: 5_000 };
/** Milliseconds for one mail. Less than a job may take. */
const SEND_LIMIT = 45_000;

/** Sends mail by SMTP over a small pool of connections. One attempt each: the outbox retries. */
export const createMailer = ({ url, from }: NonNullable<MailConfig["smtp"]>): Mailer => {
	// the same for all tenants, so a Message-ID stays when a tenant's sender changes between two attempts
	const domain = domainOf(parseSender(from)?.address ?? from);
	const { username, hostname } = new URL(url);
	const transport = createTransport({
		url,
		pool: true,
		maxConnections: 5,
		...TIMEOUTS,
		// passwords require TLS, unless the URL says otherwise (?requireTLS=false)
		requireTLS: username !== "" && !isLoopback(hostname),
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	return {
		send: async ({ id, from, replyTo, to, subject, text, html }) => {
			const message = {
				// objects, so a comma or bracket in an address cannot add another one
				from,
				...(replyTo === undefined ? {} : { replyTo: { name: "", address: replyTo } }),
				to: { name: "", address: to },
				messageId: `<${id}@${domain}>`,
				subject,
				text,
				html,
				// suppresses automatic replies (RFC 3834, section 5)
				headers: { "auto-submitted": "auto-generated" },
			};
			try {
				await withinTime(SEND_LIMIT, transport.sendMail(message));
			} catch (error) {
				throw new MailFailure(error);
			}
		},
		verify: async () => {
			await transport.verify();
		},
		close: () => transport.close({ force: true }),
	};
};

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127\./.test(host);

/** The server rejected the mail permanently (RFC 5321, section 4.2.1), or there is no recipient. */
const isFinal = (error: unknown): boolean => {
	const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
	// a rejected login or greeting is no verdict on the mail: an administrator can correct it
	if (command !== undefined && !ABOUT_THE_MAIL.test(command)) return false;
	return responseCode === undefined ? code === "EENVELOPE" : responseCode >= 500;
};

const ABOUT_THE_MAIL = /^(MAIL|RCPT|DATA|API)/;

const describeFailure = (error: unknown): Record<string, unknown> => {
	const { name, code, command, responseCode } = error as Record<string, unknown>;
	return { name, code, command: typeof command === "string" ? command.slice(0, 20) : undefined, responseCode };
};
