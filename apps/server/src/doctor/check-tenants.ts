import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { TenantsConfig } from "../config/tenants.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("tenants");

const domains = z.record(z.string().min(1), z.string().min(1));

/** Whether requests can be told apart by their tenant as the configuration says. */
export const checkTenants = async ({ resolvers, header, domainsFile }: TenantsConfig): Promise<Finding[]> => {
	const ways = [...resolvers, "body", "query", ...(header === false ? [] : [`the header ${header}`])];
	const findings = [ok(`Told by ${ways.join(", ")}`)];
	if (resolvers.includes("custom-domain")) findings.push(await checkDomains(domainsFile));
	return findings;
};

const checkDomains = async (path: string): Promise<Finding> => {
	try {
		const found = domains.parse(JSON.parse(await readFile(path, "utf8")));
		const count = Object.keys(found).length;
		if (count > 0) return ok(`TENANT_DOMAINS_FILE names ${count} domains`);
		return warning("TENANT_DOMAINS_FILE names no domain", 'Write it as {"login.acme.com":"tenant id"}.');
	} catch {
		return wrong(
			"TENANT_DOMAINS_FILE cannot be read, or is no list of domains",
			'Check the path, and write it as {"login.acme.com":"tenant id"}.',
		);
	}
};
