import { readFile } from "node:fs/promises";
import { parseDomains } from "../auth/domains-file.ts";
import type { TenantsConfig } from "../config/tenants.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("tenants");

/** Checks how requests name their tenant. */
export const checkTenants = async (tenants: TenantsConfig): Promise<Finding[]> => {
	const { resolvers, header, domainsFile, callbackHost } = tenants;
	const ways = [...resolvers, "body", "query", ...(header === false ? [] : [`the header ${header}`])];
	const findings = [ok(`Resolved by ${ways.join(", ")}`)];
	if (callbackHost !== null) findings.push(ok(`OAuth providers return to ${callbackHost} for all tenants`));
	if (domainsFile) findings.push(await checkDomains(domainsFile));
	return findings;
};

const checkDomains = async (path: string): Promise<Finding> => {
	try {
		const count = parseDomains(await readFile(path, "utf8")).size;
		if (count > 0) return ok(`TENANT_DOMAINS_FILE lists ${count} domains`);
		return warning("TENANT_DOMAINS_FILE lists no domains", 'Use the form {"login.acme.com":"tenant id"}.');
	} catch {
		return wrong(
			"TENANT_DOMAINS_FILE cannot be read, or is not a list of domains",
			'Check the path, and use the form {"login.acme.com":"tenant id"}.',
		);
	}
};
