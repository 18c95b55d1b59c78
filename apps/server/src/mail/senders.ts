import type { MailConfig } from "../config/mail.ts";
import { parseSender, type Sender } from "../config/sender.ts";
import type { Logger } from "../observe/logger.ts";
import { domainOf, normalizeDomain } from "./mail-address.ts";
import { senderName, shownName } from "./names.ts";
import type { TenantMail } from "./tenant-mail.ts";

/** The sender and the address for replies of one mail. */
export type SentFrom = { from: Sender; replyTo?: string | undefined };

type SendersWith = { config: Pick<MailConfig, "senderDomains"> & { from: string }; logger: Logger };

/** Tenants to remember, so a wrong sender is logged once and not with each mail. */
const MOST_REMEMBERED = 1_000;

/** Chooses the sender of a tenant's mails. An address outside of MAIL_SENDER_DOMAINS is never used. */
export const createSenders = ({ config, logger }: SendersWith) => {
	const own = parseSender(config.from) ?? { name: "", address: config.from };
	const ownDomain = normalizeDomain(domainOf(own.address));
	const warned = new Set<string>();

	const allowed = (tenantId: string, from: string | undefined): string | null => {
		if (from === undefined) return null;
		if (config.senderDomains.includes(domainOf(from))) return from;
		if (!warned.has(tenantId) && warned.size < MOST_REMEMBERED) {
			warned.add(tenantId);
			logger.warn(
				{ tenantId },
				"the tenant's sender is not used: its domain is not in MAIL_SENDER_DOMAINS. Add the domain, or change metadata.mail.from. Mails are sent from MAIL_FROM",
			);
		}
		return null;
	};

	return {
		/** for users of the platform */
		platform: (): SentFrom => ({ from: own }),
		tenant: ({ id, name }: { id: string; name: string }, settings: TenantMail): SentFrom => {
			const guest = settings.senderName ?? name;
			const address = allowed(id, settings.from);
			// at our own domain, a tenant named Example Security would pass for us
			const isApart = address !== null && domainOf(address) !== ownDomain;
			return {
				from: {
					name: isApart ? shownName(guest) : senderName(guest, own),
					address: address ?? own.address,
				},
				replyTo: settings.replyTo,
			};
		},
	};
};
