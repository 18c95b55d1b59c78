import { readFileSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { domainToASCII } from "node:url";
import * as z from "zod";
import type { Logger } from "../observe/logger.ts";

const contents = z.record(
	z
		.string()
		.refine((domain) => !/[\s/\\?#@:*]/.test(domain) && domainToASCII(domain) !== "", { error: "is not a domain" }),
	z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "is not a tenant id" }),
);

const CHECK_EVERY_MS = 1_000;

/** Reads {"login.acme.com":"tenant id"}. Domains are returned as browsers send them. */
export const parseDomains = (text: string): Map<string, string> => {
	const parsed = contents.safeParse(JSON.parse(text));
	if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
	const domains = new Map<string, string>();
	for (const [spelled, tenantId] of Object.entries(parsed.data)) {
		const domain = domainToASCII(spelled).replace(/\.$/, "");
		// otherwise the last spelling would decide which tenant gets the domain
		if (domains.has(domain)) throw new Error(`${domain} is listed twice`);
		domains.set(domain, tenantId);
	}
	return domains;
};

/**
 * Tenant domains from a file. Throws if it cannot be read now: without its domains, a tenant's users would be strangers.
 * Changes apply within a second. If the file becomes unreadable later, the last good version stays in use and an error
 * is logged.
 */
export const createDomains = (path: string, logger: Logger) => {
	let version = versionOf(statSync(path));
	let domains = parseDomains(readFileSync(path, "utf8"));
	let checkedAt = Date.now();
	let reading: Promise<void> = Promise.resolve();

	const readAgain = async (): Promise<void> => {
		const found = await stat(path).then(versionOf, () => MISSING);
		if (found === version) return;
		// set before parsing, so a broken file is reported once and read again when it changes
		version = found;
		try {
			domains = parseDomains(await readFile(path, "utf8"));
		} catch {
			logger.error(
				{ file: path },
				"cannot read the domains file; the last good version stays in use. Fix the file, or change TENANT_DOMAINS_FILE",
			);
		}
	};

	const current = async (): Promise<Map<string, string>> => {
		if (Date.now() - checkedAt >= CHECK_EVERY_MS) {
			checkedAt = Date.now();
			reading = readAgain();
		}
		await reading;
		return domains;
	};
	return {
		findTenantId: async (domain: string): Promise<string | null> => (await current()).get(domain) ?? null,
		/** In the order of the file. */
		listDomains: async (tenantId: string): Promise<string[]> =>
			[...(await current())].filter(([, owner]) => owner === tenantId).map(([domain]) => domain),
	};
};

export type Domains = ReturnType<typeof createDomains>;

const MISSING = "missing";

/** Changes whenever the file does. */
const versionOf = ({ mtimeMs, size }: { mtimeMs: number; size: number }): string => `${mtimeMs} ${size}`;
