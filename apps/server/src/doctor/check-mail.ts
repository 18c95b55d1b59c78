import { resolve4, resolve6, resolveMx } from "node:dns/promises";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { MailConfig } from "../config/mail.ts";
import type { Mailer } from "../mail/mailer.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("mail");

/** Checks the login to the mail server, without sending anything, and whether the sender's domain exists. */
export const checkMail = async ({ smtp }: MailConfig, mailer: Mailer | null): Promise<Finding[]> => {
	if (!smtp || !mailer)
		return [
			warning(
				"Not configured: users can neither reset a password nor verify an address",
				"Set SMTP_URL and MAIL_FROM.",
			),
		];
	const [server, sender] = await Promise.all([checkServer(smtp.url, mailer), checkSender(smtp.from)]);
	return [...server, ...sender];
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

const checkSender = async (from: string): Promise<Finding[]> => {
	const domain = /@([^@\s>]+)>?\s*$/.exec(from)?.[1]?.toLowerCase();
	if (!domain) return [wrong("MAIL_FROM has no address", "Use the form Example <auth@example.com>.")];
	if (isLoopbackHost(domain) || /\.(test|invalid|localhost|local)$/.test(domain))
		return [warning(`MAIL_FROM uses ${domain}, which is not a public domain`, "Use a domain that you own.")];
	const answers = await Promise.allSettled([resolveMx(domain), resolve4(domain), resolve6(domain)]);
	if (answers.some((answer) => answer.status === "fulfilled" && answer.value.length > 0)) return [];
	const isUnknown = answers.every(
		(answer) => answer.status === "fulfilled" || ["ENOTFOUND", "ENODATA"].includes(String(answer.reason?.code)),
	);
	return [
		isUnknown
			? wrong(`MAIL_FROM uses ${domain}, which has no DNS records: most mail servers reject it`, "Correct the domain.")
			: warning(`The domain of MAIL_FROM, ${domain}, could not be resolved`, "Check your DNS."),
	];
};
