import { readFile, stat } from "node:fs/promises";
import * as z from "zod";
import type { Logger } from "../observe/logger.ts";

const contents = z.record(z.string().min(1), z.string().regex(/^[A-Za-z0-9_-]{1,64}$/));

const CHECK_EVERY_MS = 1_000;

/**
 * Tenant domains from a JSON file such as {"login.acme.com":"tenant id"}. Changes apply within a second. If the file
 * becomes unreadable, the last good version stays in use and an error is logged.
 */
export const createDomains = (path: string, logger: Logger) => {
	let domains = new Map<string, string>();
	let checkedAt = 0;
	let version = "";
	let reading: Promise<void> = Promise.resolve();

	const read = async (): Promise<void> => {
		try {
			const { mtimeMs, size } = await stat(path);
			const found = `${mtimeMs} ${size}`;
			if (found === version) return;
			// set before parsing, so a broken file is reported once and read again when it changes
			version = found;
			const parsed = contents.parse(JSON.parse(await readFile(path, "utf8")));
			domains = new Map(Object.entries(parsed).map(([domain, tenantId]) => [domain.toLowerCase(), tenantId]));
		} catch (error) {
			if (version !== "gone" || !isMissing(error))
				logger.error(
					{ file: path },
					"cannot read the domains file; the last good version stays in use. Fix the file, or change TENANT_DOMAINS_FILE",
				);
			if (isMissing(error)) version = "gone";
		}
	};

	return {
		findTenantId: async (domain: string): Promise<string | null> => {
			if (Date.now() - checkedAt >= CHECK_EVERY_MS) {
				checkedAt = Date.now();
				reading = read();
			}
			await reading;
			return domains.get(domain) ?? null;
		},
	};
};

export type Domains = ReturnType<typeof createDomains>;

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
