import type { SsoProviderRow } from "./provider-authority.ts";

/**
 * Whether to believe a provider that an email address is verified: only inside its verified domains. A tenant-chosen
 * provider can claim that any email is verified.
 */
export const vouchesFor = ({ domainVerified, domain }: SsoProviderRow, email: string): boolean => {
	if (domainVerified !== true) return false;
	const host = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
	return domain
		.split(",")
		.map((name) => name.trim().toLowerCase())
		.some((name) => name !== "" && (host === name || host.endsWith(`.${name}`)));
};
