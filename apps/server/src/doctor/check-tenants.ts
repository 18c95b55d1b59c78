import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { TenantsConfig } from "../config/tenants.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("tenants");

const domains = z.record(z.string().min(1), z.string().min(1));

/** Checks how requests name their tenant. */
export const checkTenants = async ({ resolvers, header, domainsFile }: TenantsConfig): Promise<Finding[]> => {
	const ways = [...resolvers, "body", "query", ...(header === false ? [] : [`the header ${header}`])];
	const findings = [ok(`Resolved by ${ways.join(", ")}`)];
	if (resolvers.includes("custom-domain")) findings.push(await checkDomains(domainsFile));
	return findings;
};

const checkDomains = async (path: string): Promise<Finding> => {
	try {
		const found = domains.parse(JSON.parse(await readFile(path, "utf8")));
		const count = Object.keys(found).length;
		if (count > 0) return ok(`TENANT_DOMAINS_FILE lists ${count} domains`);
		return warning("TENANT_DOMAINS_FILE lists no domains", 'Use the form {"login.acme.com":"tenant id"}.');
	} catch {
		return wrong(
			"TENANT_DOMAINS_FILE cannot be read, or is not a list of domains",
			'Check the path, and use the form {"login.acme.com":"tenant id"}.',
		);
	}
};
