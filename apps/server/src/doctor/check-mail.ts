import { resolve4, resolve6, resolveMx } from "node:dns/promises";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { MailConfig } from "../config/mail.ts";
import type { Mailer } from "../mail/mailer.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("mail");

/** Whether the mail server lets us in (nothing is sent), and whether anybody can answer the sender. */
export const checkMail = async ({ smtp }: MailConfig, mailer: Mailer | null): Promise<Finding[]> => {
	if (!smtp || !mailer)
		return [warning("Not configured: nobody can reset a password or prove an address", "Set SMTP_URL and MAIL_FROM.")];
	const [server, sender] = await Promise.all([checkServer(smtp.url, mailer), checkSender(smtp.from)]);
	return [...server, ...sender];
};

const checkServer = async (url: string, mailer: Mailer): Promise<Finding[]> => {
	const { hostname, port, protocol } = new URL(url);
	const address = `${hostname}:${port || (protocol === "smtps:" ? 465 : 587)}`;
	try {
		await mailer.verify();
		return [ok(`The mail server at ${address} lets us in`)];
	} catch (error) {
		const { says, mend } = describeFailure(error);
		return [wrong(`The mail server at ${address}: ${says}`, mend)];
	}
};

const checkSender = async (from: string): Promise<Finding[]> => {
	const domain = /@([^@\s>]+)>?\s*$/.exec(from)?.[1]?.toLowerCase();
	if (!domain) return [wrong("MAIL_FROM has no address", "Write it as Example <auth@example.com>.")];
	if (isLoopbackHost(domain) || /\.(test|invalid|localhost|local)$/.test(domain))
		return [warning(`MAIL_FROM is of ${domain}, which the world does not know`, "Take a domain of your own.")];
	const answers = await Promise.allSettled([resolveMx(domain), resolve4(domain), resolve6(domain)]);
	if (answers.some((answer) => answer.status === "fulfilled" && answer.value.length > 0)) return [];
	const isKnownToNobody = answers.every(
		(answer) => answer.status === "fulfilled" || ["ENOTFOUND", "ENODATA"].includes(String(answer.reason?.code)),
	);
	return [
		isKnownToNobody
			? wrong(`MAIL_FROM is of ${domain}, which has no address: most mail servers refuse it`, "Correct the domain.")
			: warning(`The domain of MAIL_FROM, ${domain}, could not be looked up`, "Look at the name server."),
	];
};
