import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Files of exported and imported lines in a temporary directory, which is deleted after the tests of a file. */
export const createTransferFiles = () => {
	const folder = mkdtempSync(join(tmpdir(), "tenants-transfer-"));
	afterAll(() => rmSync(folder, { recursive: true }));
	const path = (name: string): string => join(folder, name);
	return {
		folder,
		path,
		parse: (name: string): Record<string, unknown>[] =>
			readFileSync(path(name), "utf8")
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => JSON.parse(line)),
		/** Writes lines to a file and returns its path. */
		put: (name: string, lines: readonly unknown[]): string => {
			writeFileSync(
				path(name),
				lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
			);
			return path(name);
		},
	};
};

const HASH = `${"0".repeat(32)}:${"a".repeat(128)}`;

/** A user to import, with a password. */
export const person = (name: string): Record<string, unknown> => ({
	email: `${name}@example.com`,
	name,
	accounts: [{ providerId: "credential", password: HASH }],
});
