import { setTimeout as wait } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { MailConfig } from "../config/mail.ts";
import { parseSender } from "../config/sender.ts";
import type { Logger } from "../observe/logger.ts";
import { senderName } from "./names.ts";

type Mail = {
	to: string;
	subject: string;
	text: string;
	html: string;
	/** for whom it is sent; its name stands before the sender's own */
	onBehalfOf?: string | undefined;
};

export type Mailer = {
	/** Ends when the mail is handed over or given up; never throws, and says in the log what went wrong. */
	send(mail: Mail): Promise<void>;
	/** A letter that is still being written, and then sent: `close` waits for it too. */
	follow(letter: Promise<void>): void;
	/** Throws where the server cannot be reached or does not take our credentials. */
	verify(): Promise<void>;
	/** Ends when the mails under way are handed over or given up. */
	close(): void | Promise<void>;
};

const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000, dnsTimeout: 5_000 };
/** Milliseconds before each attempt. */
const ATTEMPTS = [0, 1_000, 5_000];
/** Mails that wait, at most: a server that is gone must not fill the memory. */
const MOST_WAITING = 1_000;
/** Milliseconds that mails under way have to get out before the process ends. */
const LAST_CALL = 10_000;

/** Sends mail by SMTP over a few kept connections. */
export const createMailer = ({ url, from }: NonNullable<MailConfig["smtp"]>, logger: Logger): Mailer => {
	const sender = parseSender(from) ?? { name: "", address: from };
	const { username, hostname } = new URL(url);
	const transport = createTransport({
		url,
		pool: true,
		maxConnections: 5,
		...TIMEOUTS,
		// a password is sent over TLS or not at all, unless the URL says otherwise (?requireTLS=false)
		requireTLS: username !== "" && !isLoopback(hostname),
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	const underWay = new Set<Promise<void>>();
	const followed = new Set<Promise<void>>();
	const closing = new AbortController();

	const deliver = async ({ to, subject, text, html, onBehalfOf }: Mail): Promise<void> => {
		const name = onBehalfOf === undefined ? sender.name : senderName(onBehalfOf, sender);
		const message = {
			from: { name, address: sender.address },
			// an object, so that a comma or a bracket in it names no second recipient
			to: { name: "", address: to },
			subject,
			text,
			html,
			// no holiday notes to answer, please (RFC 3834, section 5)
			headers: { "auto-submitted": "auto-generated" },
		};
		for (const [attempt, pause] of ATTEMPTS.entries()) {
			try {
				await wait(pause, undefined, { signal: closing.signal });
				await transport.sendMail(message);
				return;
			} catch (error) {
				const isLast = attempt === ATTEMPTS.length - 1 || closing.signal.aborted || isFinal(error);
				logger[isLast ? "error" : "warn"](
					{ err: describeFailure(error), attempt: attempt + 1 },
					isLast ? "a mail was not sent" : "a mail is tried again",
				);
				if (isLast) return;
			}
		}
	};

	return {
		send: async (mail) => {
			if (underWay.size >= MOST_WAITING) {
				logger.error({ waiting: underWay.size }, "a mail was not sent: too many wait. Look after the mail server");
				return;
			}
			const delivery = deliver(mail);
			underWay.add(delivery);
			await delivery.finally(() => underWay.delete(delivery));
		},
		follow: (letter) => {
			followed.add(letter);
			void letter.finally(() => followed.delete(letter));
		},
		verify: async () => {
			await transport.verify();
		},
		close: async () => {
			const timer = setTimeout(() => {
				closing.abort();
				transport.close({ force: true });
			}, LAST_CALL);
			await Promise.all([...followed, ...underWay]);
			clearTimeout(timer);
			transport.close();
		},
	};
};

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127\./.test(host);

/** The server said no for good (RFC 5321, section 4.2.1), or there is nobody to send it to. */
const isFinal = (error: unknown): boolean => {
	const { code, responseCode } = error as { code?: string; responseCode?: number };
	return responseCode === undefined ? code === "EENVELOPE" : responseCode >= 500;
};

/** What went wrong, without the server's words: they repeat addresses. */
const describeFailure = (error: unknown): Record<string, unknown> => {
	const { name, code, command, responseCode } = error as Record<string, unknown>;
	return { name, code, command: typeof command === "string" ? command.slice(0, 20) : undefined, responseCode };
};
