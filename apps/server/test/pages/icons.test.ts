import { expect, test } from "vitest";
import { icon, providerIcon } from "../../src/pages/view/icons.ts";

test("a known provider has a logo that screen readers skip", () => {
	expect(String(providerIcon("google"))).toMatch(/^<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M[^"]+"/);
});

test("an unknown provider has none, whatever its id", () => {
	for (const id of ["acme-sso", "constructor", "__proto__", "toString"]) expect(providerIcon(id)).toBeNull();
});

test("other methods are drawn in lines", () => {
	expect(String(icon("mail"))).toContain('class="drawn"');
});
