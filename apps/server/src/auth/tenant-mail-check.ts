import { APIError } from "better-auth/api";
import type { tenantAuth } from "better-auth-tenants";
import type { MailConfig } from "../config/mail.ts";
import { problemsOf } from "../mail/tenant-mail.ts";
import { refuseInvalidMetadata } from "../tenants/tenant-metadata-check.ts";

/** Rejects invalid mail settings in a tenant's metadata. Without it, a mistake would show in the mails only. */
export const refuseInvalidMail = (
	plugin: Pick<ReturnType<typeof tenantAuth>, "endpoints">,
	{ senderDomains }: Pick<MailConfig, "senderDomains">,
): void =>
	refuseInvalidMetadata(plugin, {
		field: "mail",
		refusal: (message) => new APIError("BAD_REQUEST", { code: "TENANT_MAIL_INVALID", message }),
		problemsOf: (given) => problemsOf(given, senderDomains),
	});
