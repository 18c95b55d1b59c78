import { describe, expect, it } from "vitest";
import { qrCode } from "../../src/pages/view/qr-code.ts";
import { readQrCode } from "./read-qr-code.ts";

/** A key in base 32. */
const KEY = "ABCDEFGH23456777";

const uriFor = (issuer: string, secret: string): string => {
	const name = encodeURIComponent(issuer);
	return `otpauth://totp/${name}:ada%40example.com?secret=${secret}&issuer=${name}&digits=6&period=30`;
};

describe("qrCode", () => {
	it.each([
		["a short name", uriFor("Acme", KEY)],
		["a long key", uriFor("Globex Corporation", KEY.repeat(4))],
		["a name that is not Latin", uriFor("株式会社アクメ", KEY)],
		["the longest text", "x".repeat(858)],
	])("is read again with %s", (_, text) => {
		expect(readQrCode(String(qrCode(text, "QR code")))).toBe(text);
	});

	it("has a white border of four modules, alternative text and no inline style", () => {
		const svg = String(qrCode(uriFor("Acme", KEY), 'Code for "Ada" <app>'));
		const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
		for (const [, x, y, end] of svg.matchAll(/M(\d+) (\d+)H(\d+)/g))
			for (const at of [Number(x), Number(y), Number(end) - 1]) {
				expect(at).toBeGreaterThanOrEqual(4);
				expect(at).toBeLessThan(size - 4);
			}
		expect(svg).toContain('role="img" aria-label="Code for &quot;Ada&quot; &lt;app&gt;"');
		expect(svg).not.toMatch(/style|<script|href/);
	});

	it("is left out for a text that is too long to be scanned", () => {
		expect(qrCode("x".repeat(859), "QR code")).toBeNull();
	});
});
