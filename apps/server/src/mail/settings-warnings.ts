import type { MailConfig } from "../config/mail.ts";
import type { Logger } from "../observe/logger.ts";
import type { TenantEntry } from "../tenants/tenant-directory.ts";
import { problemsOf } from "./tenant-mail.ts";

type WarningsWith = Pick<MailConfig, "senderDomains"> & { logger: Logger };

/** Tenants to remember, so wrong settings are logged once and not with each mail. */
const MOST_REMEMBERED = 1_000;

/** Returns a function that logs which settings of a tenant are not used, once per tenant. */
export const createSettingsWarnings = ({ senderDomains, logger }: WarningsWith) => {
	const warned = new Set<string>();
	return ({ id, mail }: Pick<TenantEntry, "id" | "mail">): void => {
		if (warned.has(id) || warned.size >= MOST_REMEMBERED) return;
		const problems = problemsOf(mail, senderDomains);
		if (problems.length === 0) return;
		warned.add(id);
		logger.warn(
			{ tenantId: id, problems },
			"some of the tenant's mail settings are not used. Correct metadata.mail with `tenants tenant mail`",
		);
	};
};
