import { PLATFORM } from "better-auth-tenants";
import * as z from "zod";
import type { Config } from "../config/config.ts";
import { parseSender } from "../config/sender.ts";
import { describeError } from "../observe/engine-logger.ts";
import type { Logger } from "../observe/logger.ts";
import type { TenantEntry } from "../tenants/tenant-directory.ts";
import type { LetterRequest } from "./letter-request.ts";
import { type Mailer, MailFailure } from "./mailer.ts";
import { createSeal, type StoredMail } from "./sealed-mail.ts";
import { createSenders } from "./senders.ts";
import { createSettingsWarnings } from "./settings-warnings.ts";
import { readTenantMail } from "./tenant-mail.ts";

/** Mails that this process sent or gave up. */
export type MailCounts = { sent: number; failed: number };

type DeliverWith = {
	config: Pick<Config, "http" | "mail" | "secrets">;
	mailer: Mailer;
	tenantById: (id: string) => Promise<TenantEntry | null>;
	/** incremented here */
	counts: MailCounts;
	logger: Logger;
};

const stored = z.object({ sealed: z.string(), giveUpAt: z.number() });

/** Mails to remember, in case the database loses the result of a job and it runs again here. */
const MOST_REMEMBERED = 1_000;

/**
 * Creates the task that sends the mails of the outbox. A job that throws runs again later. A mail is sent at least once: if the process ends
 * after the mail server accepted a mail and before the job is deleted, the mail is sent again with the same Message-ID.
 */
export const createDelivery = ({ config, mailer, tenantById, counts, logger }: DeliverWith) => {
	const { open } = createSeal(config.secrets);
	const { smtp, senderDomains, locale: ownLocale } = config.mail;
	const serviceName = parseSender(smtp?.from ?? "")?.name || new URL(config.http.publicURL).hostname;
	const senders = createSenders({ from: smtp?.from ?? "", senderDomains });
	const warnOfSettings = createSettingsWarnings({ senderDomains, logger });
	const sent = new Set<string>();

	const giveUp = (fields: object, why: string): void => {
		counts.failed += 1;
		logger.error(fields, `mail not sent: ${why}`);
	};

	const write = async (request: LetterRequest, tenant: TenantEntry | null) => {
		const settings = readTenantMail(tenant?.mail);
		if (tenant) warnOfSettings(tenant);
		// loaded with the first mail: processes without jobs never do, and no start waits for it
		const [{ writeLetter }, { compose }] = await Promise.all([import("./letter.ts"), import("./template/compose.ts")]);
		const writer = {
			name: tenant?.name ?? serviceName,
			slug: tenant?.slug ?? null,
			locale: settings.locale ?? ownLocale,
		};
		const mail = await compose(writeLetter(request, writer));
		return { ...mail, ...(tenant ? senders.tenant(tenant, settings) : senders.platform()) };
	};

	const send = async ({ id, to, tenantId, request }: StoredMail, attempt: number): Promise<void> => {
		const tenant = tenantId === PLATFORM ? null : await tenantById(tenantId);
		if (tenant === null && tenantId !== PLATFORM) return giveUp({ tenantId }, "its tenant was deleted");
		const mail = await write(request, tenant).catch((error: unknown) => {
			// kept until it expires: another version may know how, for example during an update
			logger.warn(
				{ err: describeError(error), attempt, tenantId, kind: request.kind },
				"a mail could not be written. It is retried until it expires",
			);
			throw error;
		});
		try {
			await mailer.send({ id, to, ...mail });
		} catch (error) {
			if (!(error instanceof MailFailure)) throw error;
			const fields = { err: error.details, attempt, tenantId, kind: request.kind };
			if (error.isFinal) return giveUp(fields, "the mail server rejected it");
			logger.warn(fields, "retrying a mail");
			throw error;
		}
		counts.sent += 1;
		remember(sent, id);
	};

	return async (payload: unknown, attempt: number): Promise<void> => {
		const { sealed, giveUpAt } = stored.parse(payload);
		// a link that no longer works would only confuse
		if (Date.now() >= giveUpAt) return giveUp({ attempt }, "its link or code has expired");
		const mail = await open(sealed).catch(() => {
			logger.warn("a mail could not be decrypted. Add the secret that it was stored with to AUTH_SECRETS");
			throw new Error("The mail could not be decrypted");
		});
		if (!sent.has(mail.id)) await send(mail, attempt);
	};
};

const remember = (known: Set<string>, id: string): void => {
	const [oldest] = known;
	if (known.size >= MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
	known.add(id);
};
