import { readFile } from "node:fs/promises";

/** A change of a sample: every occurrence of the first text becomes the second. */
export type Change = readonly [from: string, to: string];

const FOLDER = new URL("../../../apps/server/proxies/", import.meta.url);

/** A sample with changes. A text that the sample does not contain is an error, so this cannot test something else. */
export const changedSample = async (name: string, changes: readonly Change[]): Promise<string> => {
	let text = await readFile(new URL(name, FOLDER), "utf8");
	for (const [from, to] of changes) {
		if (!text.includes(from)) throw new Error(`${name} does not contain ${JSON.stringify(from)}`);
		text = text.replaceAll(from, to);
	}
	return text;
};

/** The hosts in the samples. */
export const PLATFORM_HOST = "auth.example.com";
export const TENANT_DOMAIN = "app.example.com";
export const CUSTOM_DOMAIN = "login.globex.example";
