import { expect, it } from "vitest";
import { slugOf, slugProblem } from "../../src/platform/tenants/slug.ts";

it.each([
	["Acme", "acme"],
	["Globex Corporation", "globex-corporation"],
	["Café & Co", "cafe-co"],
	["Gro\u00df", "gross"],
	["  -- Acme -- ", "acme"],
	["株式会社", ""],
	["a".repeat(80), "a".repeat(63)],
])("makes a slug of %j", (name, slug) => {
	expect(slugOf(name)).toBe(slug);
	if (slug !== "") expect(slugProblem(slug)).toBeNull();
});

it.each(["a", "Acme", "a_b", "-acme", "acme-", "xn--acme", "a".repeat(64)])("says why %s is no slug", (slug) => {
	expect(slugProblem(slug)).not.toBeNull();
});
