import * as z from "zod";
import { normalizeDomain } from "../../resolve/host-name.ts";

/** The domain of an email address, stored in one spelling. Subdomains are other domains. */
export const emailDomain = z
	.string()
	.max(300)
	.transform((typed, ctx) => {
		const domain = normalizeDomain(typed);
		if (domain !== null) return domain;
		ctx.addIssue({ code: "custom", message: "must be a domain such as acme.com" });
		return z.NEVER;
	});

/** Whether an email address is in one of the domains. */
export const isInDomains = (domains: readonly string[] | "any", email: unknown): boolean => {
	if (domains === "any") return true;
	if (typeof email !== "string") return false;
	const domain = normalizeDomain(email.slice(email.lastIndexOf("@") + 1));
	return email.includes("@") && domain !== null && domains.includes(domain);
};
