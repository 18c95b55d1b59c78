import type { MailConfig } from "../config/mail.ts";
import { parseSender, type Sender } from "../config/sender.ts";
import { domainOf, normalizeDomain } from "../lib/mail-address.ts";
import { containsName, senderName, shownName } from "./names.ts";
import type { TenantMail } from "./tenant-mail.ts";

/** The sender and the address for replies of one mail. */
export type SentFrom = { from: Sender; replyTo?: string | undefined };

type SendersWith = Pick<MailConfig, "senderDomains"> & { from: string };

/** Chooses the sender of a tenant's mails. An address outside of MAIL_SENDER_DOMAINS is never used. */
export const createSenders = ({ from, senderDomains }: SendersWith) => {
	const own = parseSender(from) ?? { name: "", address: from };
	const ownDomain = normalizeDomain(domainOf(own.address));

	const nameAt = (address: string, guest: string): string => {
		// at our own domain, a tenant named Example Security would pass for us
		if (isRelated(domainOf(address), ownDomain)) return senderName(guest, own);
		// many mail programs show the name only
		return containsName(guest, own.name) ? senderName(guest, { name: "", address }) : shownName(guest);
	};

	return {
		/** for users of the platform */
		platform: (): SentFrom => ({ from: own }),
		tenant: ({ name }: { name: string }, settings: TenantMail): SentFrom => {
			const guest = settings.senderName ?? name;
			const isAllowed = settings.from !== undefined && senderDomains.includes(domainOf(settings.from));
			return {
				from:
					isAllowed && settings.from !== undefined
						? { name: nameAt(settings.from, guest), address: settings.from }
						: { name: senderName(guest, own), address: own.address },
				replyTo: settings.replyTo,
			};
		},
	};
};

/** Whether one domain is the other or below it. */
const isRelated = (domain: string, other: string | null): boolean =>
	domain === other || domain.endsWith(`.${other}`) || (other?.endsWith(`.${domain}`) ?? false);
