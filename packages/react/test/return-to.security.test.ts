import { EVIL_HOST, REDIRECT_PAYLOADS } from "test-kit/redirect-payloads";
import { describe, expect, it } from "vitest";
import { isWebAddress, safeReturnTo } from "../src/return-to.ts";

const origin = "http://localhost:3000";
const SHOP = "https://shop.example.com";

// threat 137
describe("safeReturnTo", () => {
	it.each(["/", "/home?tab=1#top", `${origin}/home`])("returns %s at the page's own origin", (value) => {
		expect(safeReturnTo(value, { origin })).toBe(new URL(value, origin).href);
	});

	it("returns a URL at an allowed origin only", () => {
		expect(safeReturnTo(`${SHOP}/cart`, { origin, allowedOrigins: [SHOP] })).toBe(`${SHOP}/cart`);
		expect(safeReturnTo(`${SHOP}/cart`, { origin })).toBeNull();
		expect(safeReturnTo(`${SHOP}.evil.example/`, { origin, allowedOrigins: [SHOP] })).toBeNull();
		expect(safeReturnTo("http://shop.example.com/", { origin, allowedOrigins: [SHOP] })).toBeNull();
	});

	it.each([null, undefined, "", "home", `/${"x".repeat(2048)}`])("returns null for no address", (value) => {
		expect(safeReturnTo(value, { origin })).toBeNull();
	});

	it.each(REDIRECT_PAYLOADS)("does not lead elsewhere: %j", (value) => {
		const target = safeReturnTo(value, { origin, allowedOrigins: [SHOP] });
		expect(target === null ? origin : new URL(target).origin).toBe(origin);
	});
});

describe("isWebAddress", () => {
	it.each(["/sign-up", "sign-up", "?tab=1", "https://acme.example.com"])("takes %s", (value) => {
		expect(isWebAddress(value)).toBe(true);
	});

	it.each(["javascript:alert(1)", "JavaScript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", " javascript:x"])(
		"refuses %j",
		(value) => {
			expect(isWebAddress(value)).toBe(false);
		},
	);

	it("leaves other sites to the application, which chose the link", () => {
		expect(isWebAddress(`https://${EVIL_HOST}`)).toBe(true);
	});
});
