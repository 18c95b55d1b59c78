import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { isBreached } from "../../src/features/policy/breached-passwords.ts";
import { tenantPolicy } from "../../src/policy.ts";

const serve = async (status: number, text: string): Promise<string> => {
	const server = createServer((_, response) => response.writeHead(status).end(text));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const LINE = `${"0".repeat(35)}:1\r\n`;

describe("a server of breached passwords", () => {
	// threat 115
	it.each([
		["an error", 500, LINE, "the server returned 500"],
		["more than a megabyte", 200, LINE.repeat(30_000), "the server returned too much"],
		["a page", 200, "<html>", "the server did not return digests"],
	])("counts as unavailable if it returns %s", async (_, status, text, message) => {
		await expect(isBreached("password", { url: await serve(status, text), timeout: 5 })).rejects.toThrow(message);
		expect(await isBreached("password", { url: await serve(200, LINE), timeout: 5 })).toBe(false);
	});

	it("has an http or https URL", () => {
		expect(() => tenantPolicy({ breachedPasswords: { url: "ftp://example.com/" } })).toThrow(
			"breachedPasswords.url is not an http or https URL",
		);
		expect(tenantPolicy({ breachedPasswords: { url: "http://127.0.0.1/" } }).id).toBe(tenantPolicy().id);
	});
});
