import { randomUUID } from "node:crypto";
import type { SecretsConfig } from "../config/secrets.ts";
import type { Backlog, Queue } from "../jobs/queue.ts";
import { createLocalCounts } from "../lib/count-locally.ts";
import { usefulFor } from "./letter-request.ts";
import { createSeal, type StoredMail } from "./sealed-mail.ts";

/** The name of the jobs. */
export const MAIL_TASK = "mail";

export type Outbox = {
	/** Resolves when the mail is stored. A worker sends it, also after a crash. */
	send(mail: Omit<StoredMail, "id">): Promise<void>;
};

/** More than a mail needs: two days of attempts five minutes apart. */
const MOST_ATTEMPTS = 1_000;

/** Seconds for which the mails of a tenant are counted: as long as a mailed code is useful. */
const COUNTED = 600;
/** The highest number that the queue stores is 32,767. */
const LAST = 30_000;

/** Stores mails in the database, encrypted, until a worker has sent them. */
export const createOutbox = (queue: Pick<Queue, "add">, secrets: SecretsConfig): Outbox => {
	const { seal } = createSeal(secrets);
	const counts = createLocalCounts();
	return {
		send: async (mail) => {
			const id = randomUUID();
			const sealed = await seal({ id, ...mail });
			// readable without the secret, so a mail is given up even if its secret is gone
			const payload = { sealed, giveUpAt: Date.now() + usefulFor(mail.request.kind) * 1_000 };
			// tenants take turns: the third mail of one waits behind the second of all others, so that none delays theirs with many
			const priority = Math.min(counts.increment(mail.tenantId, COUNTED), LAST);
			await queue.add({ task: MAIL_TASK, payload, key: `${MAIL_TASK}:${id}`, mostAttempts: MOST_ATTEMPTS, priority });
		},
	};
};

/** The mails of all processes that are neither sent nor given up. */
export const pendingMails = (queue: Pick<Queue, "backlog">): Promise<Backlog> => queue.backlog(MAIL_TASK);
