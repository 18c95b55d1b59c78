import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { SmsConfig } from "../config/sms.ts";
import type { Logger } from "../observe/logger.ts";

export type TextMessage = {
	tenantId: string;
	phoneNumber: string;
	code: string;
	purpose: "verification" | "password-reset";
};

/** Messages so far, and those that are not delivered or given up yet. */
export type SmsCounts = { sent: number; failed: number; pending: number };

export type SmsSender = {
	/** Resolves when the webhook accepted the message or it is given up. Never throws; failures are logged. */
	send(message: TextMessage): Promise<void>;
	/** Registers work in progress, so that `close` waits for it. */
	follow(work: Promise<void>): void;
	counts(): SmsCounts;
	/** Resolves when all pending messages are delivered or given up. */
	close(): Promise<void>;
};

/** Milliseconds for one request. */
const LONGEST = 5_000;
/** Maximum number of pending messages. An unreachable webhook must not fill the memory. */
const MOST_WAITING = 1_000;

type Pauses = {
	/** milliseconds before each attempt */
	attempts: readonly number[];
	/** milliseconds for pending messages before the process ends */
	lastCall: number;
};

const PAUSES: Pauses = { attempts: [0, 1_000, 5_000], lastCall: 10_000 };

/** The webhook refused the message, and would refuse it again. */
class Refused extends Error {
	override name = "Refused";
}

/** Hands text messages to the operator's webhook, signed as in Standard Webhooks (https://www.standardwebhooks.com). */
export const createSmsSender = (
	{ url, secret }: NonNullable<SmsConfig>,
	logger: Logger,
	{ attempts, lastCall }: Pauses = PAUSES,
): SmsSender => {
	const webhook = new Webhook(secret);
	const underWay = new Set<Promise<void>>();
	const followed = new Set<Promise<void>>();
	const closing = new AbortController();
	const ended = { sent: 0, failed: 0 };

	const post = async (id: string, body: string): Promise<void> => {
		const now = new Date();
		const response = await fetch(url, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"webhook-id": id,
				"webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
				"webhook-signature": webhook.sign(id, now, body),
			},
			body,
			// a code must not be sent to another host than the configured one
			redirect: "manual",
			signal: AbortSignal.any([closing.signal, AbortSignal.timeout(LONGEST)]),
		});
		await response.body?.cancel();
		if (response.ok) return;
		const message = `The SMS webhook returned ${response.status}`;
		const isTemporary = response.status >= 500 || response.status === 408 || response.status === 429;
		throw isTemporary ? new Error(message) : new Refused(message);
	};

	const deliver = async (message: TextMessage): Promise<void> => {
		// the same for every attempt, so the webhook can drop repetitions
		const id = `msg_${randomUUID()}`;
		const body = JSON.stringify(message);
		for (const [attempt, pause] of attempts.entries()) {
			try {
				await wait(pause, undefined, { signal: closing.signal });
				await post(id, body);
				ended.sent += 1;
				return;
			} catch (error) {
				const isLast = attempt === attempts.length - 1 || closing.signal.aborted || error instanceof Refused;
				logger[isLast ? "error" : "warn"](
					{ err: describe(error), attempt: attempt + 1 },
					isLast ? "text message not sent" : "retrying a text message",
				);
				if (!isLast) continue;
				ended.failed += 1;
				return;
			}
		}
	};

	return {
		send: async (message) => {
			if (underWay.size >= MOST_WAITING) {
				ended.failed += 1;
				logger.error({ waiting: underWay.size }, "text message not sent: too many are pending. Check SMS_WEBHOOK_URL");
				return;
			}
			const delivery = deliver(message);
			underWay.add(delivery);
			await delivery.finally(() => underWay.delete(delivery));
		},
		follow: (work) => {
			followed.add(work);
			void work.finally(() => followed.delete(work));
		},
		counts: () => ({ ...ended, pending: underWay.size }),
		close: async () => {
			const timer = setTimeout(() => closing.abort(), lastCall);
			await Promise.all([...followed, ...underWay]);
			clearTimeout(timer);
		},
	};
};

/** Describes a failure by name and code. Messages of the network contain the URL, which may contain a password. */
const describe = (error: unknown): Record<string, unknown> => {
	if (!(error instanceof Error)) return { name: typeof error };
	const { cause } = error;
	const code = cause instanceof Error && "code" in cause ? { code: cause.code } : {};
	const isOurs = error instanceof Refused || error.message.startsWith("The SMS webhook returned");
	return { name: error.name, ...code, ...(isOurs ? { message: error.message } : {}) };
};
