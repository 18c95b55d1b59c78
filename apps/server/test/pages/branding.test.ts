// cspell:ignore anmelden Connexion Datenschutz Impressum Nutzungsbedingungen
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { brandStyles, brandStylesPath } from "../../src/branding/brand-styles.ts";
import { brandingProblems, readBranding } from "../../src/branding/branding.ts";
import { contrast, inkOn } from "../../src/branding/contrast.ts";
import { preferredLocale } from "../../src/pages/locale.ts";
import { startPages, type Tenant, textOf, titleOf } from "./pages-world.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const BRANDING = {
	name: "Acme GmbH",
	logo: "https://cdn.acme.example/logo.svg",
	primaryColor: "#0057B8",
	backgroundColor: "#eef4fb",
	terms: "https://acme.example/agb",
	privacy: "https://acme.example/datenschutz",
	imprint: "https://acme.example/impressum",
	locale: "de",
};

describe("branding", () => {
	it.each([
		["a logo without TLS", { logo: "http://cdn.acme.example/logo.svg" }, "metadata.branding.logo is not an https URL"],
		["a script as a logo", { logo: "javascript:alert(1)" }, "metadata.branding.logo is not an https URL"],
		["a logo that ends a source", { logo: "https://cdn.example/x;script-src *" }, "metadata.branding.logo is not"],
		["a password in a link", { terms: "https://a:b@acme.example" }, "metadata.branding.terms is not an https URL"],
		["a color with a style", { primaryColor: "red;}*{display:none" }, "metadata.branding.primaryColor is not a color"],
		["a button nobody can see", { primaryColor: "#ffee00" }, "metadata.branding.primaryColor has too little contrast"],
		["markup in a field of its own", { html: "<b>" }, "metadata.branding has an unknown field"],
		["a name on two lines", { name: "Acme\nInc." }, "metadata.branding.name is not a name"],
		["an unknown language", { locale: "tlh" }, "metadata.branding.locale is unknown"],
		["a text", "blue", "metadata.branding is not an object"],
	])("rejects %s", (_what, given, message) => {
		expect(brandingProblems(given)).toEqual([expect.stringContaining(message)]);
	});

	it("accepts valid fields, and reads what is valid of stored ones", () => {
		expect(brandingProblems(BRANDING)).toEqual([]);
		expect(brandingProblems(undefined)).toEqual([]);
		expect(readBranding({ ...BRANDING, logo: "http://x.example", extra: 1 })).toEqual({
			...BRANDING,
			logo: undefined,
			primaryColor: "#0057b8",
		});
		expect(readBranding("blue")).toEqual({});
	});

	it("writes colors with enough contrast for every text, in light and dark", () => {
		for (let value = 0; value < 0x1000000; value += 0x010f0d) {
			const color = `#${value.toString(16).padStart(6, "0")}`;
			expect(contrast(color, inkOn(color))).toBeGreaterThan(4.5);
			const css = brandStyles(brandStylesPath({ primaryColor: color, backgroundColor: color }) ?? "") ?? "";
			const pairs = [...css.matchAll(/--brand:(#\w{6});--brand-hover:(#\w{6});--on-brand:(#\w{6})/g)];
			expect(pairs).toHaveLength(2);
			for (const [, brand = "", , ink = ""] of pairs) expect(contrast(brand, ink)).toBeGreaterThan(4.5);
		}
		for (const path of ["/pages/brand.red.none.css", "/pages/brand.0057b8;x.none.css", "/pages/brand.0057B8.none.css"])
			expect(brandStyles(path)).toBeNull();
	});

	it("reads the visitor's language", () => {
		expect(preferredLocale("tlh, fr-CA;q=0.8, de;q=0.9", "en")).toBe("de");
		expect(preferredLocale("*", "es")).toBe("es");
		expect(preferredLocale("de;q=0, ja", "en")).toBe("ja");
		expect(preferredLocale(undefined, "en")).toBe("en");
	});
});

describe("a branded tenant", () => {
	let world: Awaited<ReturnType<typeof startPages>>;
	let acme: Tenant;
	let globex: Tenant;
	beforeAll(async () => {
		world = await startPages();
		acme = await world.createTenant("acme", { metadata: { branding: BRANDING, plan: "gold" } });
		globex = await world.createTenant("globex");
	}, 60_000);
	afterAll(() => world.close());

	it("has its name, logo, colors, links and language, and its neighbor has none of them", async () => {
		const own = await world.visitor(acme.host, { "accept-language": "fr" }).get("/sign-in");
		expect(titleOf(own)).toBe("Bei Acme GmbH anmelden");
		expect(own.text).toContain('<html lang="de" dir="ltr">');
		expect(own.text).toContain('<img src="https://cdn.acme.example/logo.svg" alt="Acme GmbH"');
		expect(own.headers.get("content-security-policy")).toContain("img-src 'self' https://cdn.acme.example;");
		expect(textOf(own)).toContain("Nutzungsbedingungen Datenschutz Impressum");
		const [, styles = ""] = /href="(\/pages\/brand[^"]*)"/.exec(own.text) ?? [];
		const sheet = await world.send(acme.host, styles);
		expect([sheet.status, sheet.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"]);
		expect(await sheet.text()).toContain("--brand:#0057b8");

		const other = await world.visitor(globex.host, { "accept-language": "fr" }).get("/sign-in");
		expect(titleOf(other)).toBe("Connexion à globex");
		expect(other.text).not.toMatch(/acme|brand\./i);
		expect(other.headers.get("content-security-policy")).not.toContain("acme");
	});

	// threat 150
	it("is public, and the rest of its metadata is not", async () => {
		const current = async ({ host }: Tenant) => (await world.send(host, "/api/auth/tenant/current")).json();
		const { methods, ...own } = await current(acme);
		const branding = { ...BRANDING, primaryColor: "#0057b8" };
		expect(own).toEqual({ id: acme.id, slug: "acme", name: "acme", branding });
		expect(methods.email).toEqual({ enabled: true, signUp: true });
		expect(await current(globex)).toMatchObject({ id: globex.id, slug: "globex", branding: {} });
	});

	it("is validated when it is stored", async () => {
		const branding = { logo: "http://cdn.acme.example/logo.svg" };
		const refused = await world.operate("/tenant/update", { tenantId: acme.id, metadata: { branding } });
		expect(refused).toMatchObject({ status: 400, code: "TENANT_BRANDING_INVALID" });
		const made = await world.operate("/tenant/create", { name: "x", slug: "xx", metadata: { branding } });
		expect(made).toMatchObject({ status: 400, code: "TENANT_BRANDING_INVALID" });
	});
});
