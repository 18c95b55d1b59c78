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
	/** the tenant it is sent for; its name precedes the sender's */
	onBehalfOf?: string | undefined;
};

/** Mails so far, and those that are not delivered or given up yet. */
export type MailCounts = { sent: number; failed: number; pending: number };

export type Mailer = {
	/** Resolves when the mail is delivered or given up. Never throws; failures are logged. */
	send(mail: Mail): Promise<void>;
	/** Registers a letter in progress, so that `close` waits for it. */
	follow(letter: Promise<void>): void;
	counts(): MailCounts;
	/** Throws if the server cannot be reached or rejects our credentials. */
	verify(): Promise<void>;
	/** Resolves when all pending mails are delivered or given up. */
	close(): void | Promise<void>;
};

const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000, dnsTimeout: 5_000 };
/** Milliseconds before each attempt. */
const ATTEMPTS = [0, 1_000, 5_000];
/** Maximum number of pending mails. An unreachable mail server must not fill the memory. */
const MOST_WAITING = 1_000;
/** Milliseconds for pending mails before the process ends. */
const LAST_CALL = 10_000;

/** Sends mail by SMTP over a small pool of connections. */
export const createMailer = ({ url, from }: NonNullable<MailConfig["smtp"]>, logger: Logger): Mailer => {
	const sender = parseSender(from) ?? { name: "", address: from };
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
	const underWay = new Set<Promise<void>>();
	const followed = new Set<Promise<void>>();
	const closing = new AbortController();
	const ended = { sent: 0, failed: 0 };

	const deliver = async ({ to, subject, text, html, onBehalfOf }: Mail): Promise<void> => {
		const name = onBehalfOf === undefined ? sender.name : senderName(onBehalfOf, sender);
		const message = {
			from: { name, address: sender.address },
			// an object, so a comma or bracket in it cannot add a recipient
			to: { name: "", address: to },
			subject,
			text,
			html,
			// suppresses automatic replies (RFC 3834, section 5)
			headers: { "auto-submitted": "auto-generated" },
		};
		for (const [attempt, pause] of ATTEMPTS.entries()) {
			try {
				await wait(pause, undefined, { signal: closing.signal });
				await transport.sendMail(message);
				ended.sent += 1;
				return;
			} catch (error) {
				const isLast = attempt === ATTEMPTS.length - 1 || closing.signal.aborted || isFinal(error);
				logger[isLast ? "error" : "warn"](
					{ err: describeFailure(error), attempt: attempt + 1 },
					isLast ? "mail not sent" : "retrying a mail",
				);
				if (isLast) {
					ended.failed += 1;
					return;
				}
			}
		}
	};

	return {
		send: async (mail) => {
			if (underWay.size >= MOST_WAITING) {
				ended.failed += 1;
				logger.error({ waiting: underWay.size }, "mail not sent: too many are pending. Check the mail server");
				return;
			}
			const delivery = deliver(mail);
			underWay.add(delivery);
			await delivery.finally(() => underWay.delete(delivery));
		},
		counts: () => ({ ...ended, pending: underWay.size }),
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

/** The server rejected the mail permanently (RFC 5321, section 4.2.1), or there is no recipient. */
const isFinal = (error: unknown): boolean => {
	const { code, responseCode } = error as { code?: string; responseCode?: number };
	return responseCode === undefined ? code === "EENVELOPE" : responseCode >= 500;
};

/** Describes a failure without the server's message, which repeats addresses. */
const describeFailure = (error: unknown): Record<string, unknown> => {
	const { name, code, command, responseCode } = error as Record<string, unknown>;
	return { name, code, command: typeof command === "string" ? command.slice(0, 20) : undefined, responseCode };
};
