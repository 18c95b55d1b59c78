import { LOCALES } from "../lib/locales.ts";
import { domainOf, normalizeDomain } from "../lib/mail-address.ts";
import { defineSection } from "./section.ts";
import { parseSender } from "./sender.ts";
import { flag, list, oneOf, text, url } from "./variables.ts";

export const mailSection = defineSection(
	{
		SMTP_URL: url("smtp:", "smtps:").optional().meta({
			description:
				"The mail server: smtp://user:password@host:587. Without it users can neither reset a password nor verify an address",
		}),
		MAIL_FROM: text()
			.optional()
			.meta({ description: "The sender, such as Example <auth@example.com>. Required with SMTP_URL" }),
		MAIL_SENDER_DOMAINS: list().meta({
			description:
				"The domains that tenants' own senders may use, such as acme.com,globex.com. Subdomains are listed separately. By default the domain of MAIL_FROM",
		}),
		MAIL_LOCALE: oneOf(LOCALES, "en").meta({
			description: `The language of mails to platform users and of tenants without their own: ${LOCALES.join(", ")}`,
		}),
		INVITATION_URL: text().optional().meta({
			description:
				"For the organization plugin: your page for accepting an invitation, such as https://:tenant.example.com/invitations/:id. Without it, invitations are not mailed",
		}),
		REQUIRE_EMAIL_VERIFICATION: flag(true).meta({
			description: "Whether users must verify their address before they can sign in. Must be false without SMTP_URL",
		}),
	},
	(values, mistakes) => {
		if (values.SMTP_URL && !values.MAIL_FROM)
			mistakes.push("MAIL_FROM is not set, but SMTP_URL is. Set the sender, such as Example <auth@example.com>");
		if (values.MAIL_FROM && !parseSender(values.MAIL_FROM))
			mistakes.push("MAIL_FROM is not a valid sender. Use the form Example <auth@example.com>");
		const senderDomains = values.MAIL_SENDER_DOMAINS.map((given) => {
			const domain = normalizeDomain(given);
			if (domain === null)
				mistakes.push(
					`MAIL_SENDER_DOMAINS contains ${JSON.stringify(given.slice(0, 80))}, which is not a domain. Use a list such as acme.com,globex.com`,
				);
			return domain ?? "";
		});
		if (values.INVITATION_URL && !isPage(values.INVITATION_URL))
			mistakes.push(
				"INVITATION_URL is not a URL with an :id. Use https://app.example.com/invitations/:id, with :tenant for the tenant's slug",
			);
		if (!values.SMTP_URL && values.REQUIRE_EMAIL_VERIFICATION)
			mistakes.push(
				"SMTP_URL is not set, so users could not verify their address. Set it, or set REQUIRE_EMAIL_VERIFICATION=false",
			);
		return {
			smtp: values.SMTP_URL && values.MAIL_FROM ? { url: values.SMTP_URL, from: values.MAIL_FROM } : null,
			/** in ASCII and lower case */
			senderDomains: senderDomains.length > 0 ? senderDomains : ownDomain(values.MAIL_FROM),
			locale: values.MAIL_LOCALE,
			/** contains :id, and optionally :tenant */
			invitationURL: values.INVITATION_URL ?? null,
			requireVerification: values.REQUIRE_EMAIL_VERIFICATION,
		};
	},
);

export type MailConfig = ReturnType<(typeof mailSection)["read"]>;

const ownDomain = (from: string | undefined): string[] => {
	const domain = normalizeDomain(domainOf(parseSender(from ?? "")?.address ?? ""));
	return domain === null ? [] : [domain];
};

const isPage = (value: string): boolean =>
	value.includes(":id") &&
	/^https?:$/.test(URL.parse(value.replaceAll(":id", "1").replaceAll(":tenant", "acme"))?.protocol ?? "");
