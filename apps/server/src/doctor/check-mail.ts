import { resolve4, resolve6, resolveMx } from "node:dns/promises";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { MailConfig } from "../config/mail.ts";
import type { Mailer } from "../mail/mailer.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong, notChecked } = findingsOf("mail");

/** Each takes three DNS queries. */
const MOST_DOMAINS = 50;

/** Checks the login to the mail server, without sending anything, and whether the domains of senders exist. */
export const checkMail = async ({ smtp, senderDomains }: MailConfig, mailer: Mailer | null): Promise<Finding[]> => {
	if (!smtp || !mailer)
		return [
			warning(
				"Not configured: users can neither reset a password nor verify an address",
				"Set SMTP_URL and MAIL_FROM.",
			),
		];
	const findings = await Promise.all([
		checkServer(smtp.url, mailer),
		checkSender(smtp.from),
		checkDomains(smtp.from, senderDomains),
	]);
	return findings.flat();
};

const checkServer = async (url: string, mailer: Mailer): Promise<Finding[]> => {
	const { hostname, port, protocol } = new URL(url);
	const address = `${hostname}:${port || (protocol === "smtps:" ? 465 : 587)}`;
	try {
		await mailer.verify();
		return [ok(`The mail server at ${address} accepts the login`)];
	} catch (error) {
		const { says, fix } = describeFailure(error);
		return [wrong(`The mail server at ${address}: ${says}`, fix)];
	}
};

const checkSender = (from: string): Promise<Finding[]> => {
	const domain = /@([^@\s>]+)>?\s*$/.exec(from)?.[1]?.toLowerCase();
	if (domain) return checkDomain(domain, "MAIL_FROM");
	return Promise.resolve([wrong("MAIL_FROM has no address", "Use the form Example <auth@example.com>.")]);
};

/** At once, because each may take seconds if the DNS does not respond. */
const checkDomains = async (from: string, senderDomains: string[]): Promise<Finding[]> => {
	const others = senderDomains.filter((domain) => !from.toLowerCase().replace(/>\s*$/, "").endsWith(`@${domain}`));
	const checked = others.slice(0, MOST_DOMAINS).map((domain) => checkDomain(domain, "MAIL_SENDER_DOMAINS"));
	const left = others.length - checked.length;
	const findings = (await Promise.all(checked)).flat();
	return left > 0 ? [...findings, notChecked(`${left} more domains of MAIL_SENDER_DOMAINS`)] : findings;
};

const checkDomain = async (domain: string, variable: string): Promise<Finding[]> => {
	if (isLoopbackHost(domain) || /\.(test|invalid|localhost|local)$/.test(domain))
		return [warning(`${variable} uses ${domain}, which is not a public domain`, "Use a domain that you own.")];
	const answers = await Promise.allSettled([resolveMx(domain), resolve4(domain), resolve6(domain)]);
	if (answers.some((answer) => answer.status === "fulfilled" && answer.value.length > 0)) return [];
	const isUnknown = answers.every(
		(answer) => answer.status === "fulfilled" || ["ENOTFOUND", "ENODATA"].includes(String(answer.reason?.code)),
	);
	return [
		isUnknown
			? wrong(
					`${variable} uses ${domain}, which has no DNS records: most mail servers reject it`,
					"Correct the domain.",
				)
			: warning(`The domain of ${variable}, ${domain}, could not be resolved`, "Check your DNS."),
	];
};
