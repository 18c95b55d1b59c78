import type { Pool } from "pg";
import type { MailConfig } from "../config/mail.ts";
import { problemsOf } from "../mail/tenant-mail.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { inReadOnly } from "./read-only.ts";

const { ok, warning, notChecked } = findingsOf("tenant mail");

/** Tenants with settings to look at. The check must not slow the server down. */
const MOST = 10_000;
const MOST_NAMED = 10;

/** Looks for mail settings that are not used, for example because a domain left MAIL_SENDER_DOMAINS. */
export const checkTenantMail = async ({ senderDomains }: MailConfig, pool: Pool | null): Promise<Finding[]> => {
	if (!pool) return [notChecked("the database is not configured")];
	try {
		return await inReadOnly(pool, async (client) => {
			const { rows } = await client.query<{ slug: string; metadata: string }>(
				`select "slug", "metadata" from "tenant" where "metadata" like '%"mail"%' order by "slug" limit ${MOST}`,
			);
			const refused = rows.filter(({ metadata }) => problemsOf(mailIn(metadata), senderDomains).length > 0);
			if (refused.length === 0) return [ok("The mail settings of all tenants are valid")];
			const named = refused.slice(0, MOST_NAMED).map(({ slug }) => slug);
			return [
				warning(
					`The mail settings of ${named.join(", ")}${refused.length > named.length ? " and others" : ""} are not valid: the server's are used instead`,
					"Run `tenants tenant mail SLUG` for each, and correct them, or add the domain to MAIL_SENDER_DOMAINS.",
				),
			];
		});
	} catch (error) {
		return [notChecked(`the database could not be queried: ${describeFailure(error).says}`)];
	}
};

const mailIn = (metadata: string): unknown => {
	try {
		const parsed: unknown = JSON.parse(metadata);
		return typeof parsed === "object" && parsed !== null && "mail" in parsed ? parsed.mail : undefined;
	} catch {
		return undefined;
	}
};
