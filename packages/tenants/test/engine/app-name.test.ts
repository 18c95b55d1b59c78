import { passkey } from "@better-auth/passkey";
import { twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, ORIGIN, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type TenantAuthOptions, withTenants } from "../../src/index.ts";

const EMAIL = "ada@example.com";

type Given = {
	tenants?: TenantAuthOptions;
	factor?: Parameters<typeof twoFactor>[0];
	rpName?: string;
};

const createNamedWorld = ({ tenants, factor, rpName }: Given = {}) =>
	createWorld({
		engine: { appName: "Example" },
		allPlugins: withTenants(
			{ management: { keys: [MANAGEMENT_KEY] }, tenantCache: { maxAge: 60 }, deletion: { drainTime: 0 }, ...tenants },
			[twoFactor(factor), passkey({ rpID: "localhost", origin: ORIGIN, ...(rpName ? { rpName } : {}) })],
		),
	});

const newTenant = async (world: World, name: string, slug: string): Promise<string> =>
	(await world.auth.api.createTenant({ body: { name, slug } })).id;

/** What an authenticator app reads of a TOTP URI: the label without the secret, and the issuer. */
const readURI = (totpURI: string) => {
	const uri = new URL(totpURI);
	return {
		label: decodeURIComponent(uri.pathname.slice(1)),
		issuer: uri.searchParams.get("issuer"),
	};
};

/** Signs a user up, and returns how an authenticator app and a passkey name the place. */
const namesIn = async (world: World, tenant: string | undefined, body: object = {}) => {
	const browser = await world.signUp(tenant, EMAIL);
	const enabled = await world.call("/two-factor/enable", { browser, body: { password: PASSWORD, ...body } });
	const shown = await world.call("/two-factor/get-totp-uri", { browser, body: { password: PASSWORD } });
	const { rp } = (await world.call("/passkey/generate-register-options", { browser })).json as { rp?: unknown };
	return {
		enabled: readURI(enabled.json.totpURI),
		shown: readURI(shown.json.totpURI),
		passkey: (rp as { name: string }).name,
	};
};

const named = (name: string) => {
	const uri = { label: `${name}:${EMAIL}`, issuer: name };
	return { enabled: uri, shown: uri, passkey: name };
};

describe("the name in authenticator apps and passkeys", () => {
	// threat 152
	it("is the tenant's, for users with one email in two tenants, and the application's on the platform", async () => {
		const world = await createNamedWorld();
		const [acme, globex] = [await newTenant(world, "Acme", "acme"), await newTenant(world, "Globex", "globex")];
		expect(await namesIn(world, acme)).toEqual(named("Acme"));
		expect(await namesIn(world, globex)).toEqual(named("Globex"));
		expect(await namesIn(world, undefined)).toEqual(named("Example"));
		await world.auth.api.updateTenant({ body: { tenantId: acme, name: "Acme Corp" } });
		const browser = new Browser();
		await world.call("/sign-up/email", {
			tenant: acme,
			browser,
			body: { name: "Eve", email: "eve@example.com", password: PASSWORD },
		});
		const enabled = await world.call("/two-factor/enable", { browser, body: { password: PASSWORD } });
		expect(readURI(enabled.json.totpURI).issuer).toBe("Acme Corp");
	});

	it("is what displayName returns, and what a request or the application sets instead", async () => {
		const world = await createNamedWorld({ tenants: { displayName: ({ name, slug }) => `${name} (${slug})` } });
		const [acme, globex] = [await newTenant(world, "Acme", "acme"), await newTenant(world, "Acme", "acme-2")];
		expect(await namesIn(world, acme)).toEqual(named("Acme (acme)"));
		expect(await namesIn(world, globex)).toEqual(named("Acme (acme-2)"));
		const asked = await namesIn(world, await newTenant(world, "Umbrella", "umbrella"), { issuer: "Asked" });
		expect(asked.enabled).toEqual(named("Asked").enabled);
		const fixed = await createNamedWorld({ factor: { issuer: "One" }, rpName: "One" });
		for (const slug of ["acme", "globex"]) {
			const names = await namesIn(fixed, await newTenant(fixed, slug, slug));
			// the engine reads this option in /two-factor/enable only
			expect(names).toEqual({ ...named("One"), shown: named(slug).shown });
		}
	});

	// threat 152
	it.each([
		["Acme: Admin", "Acme Admin"],
		["Acme & Söhne?issuer=Bank#/%3A", "Acme & Söhne?issuer=Bank#/%3A"],
		["\u202eknaB\u202c\u200b Acme\u00a0GmbH", "knaB Acme GmbH"],
		["::", "acme"],
		["\u3164\u2066\u{e0041}", "acme"],
		["x".repeat(200), "x".repeat(64)],
		["株式会社".repeat(20), `${"株式会社".repeat(5)}株`],
		["😀".repeat(100), "😀".repeat(16)],
	])("is one bounded, visible label without a colon: %j", async (given, shown) => {
		const world = await createNamedWorld();
		const [acme, globex] = [await newTenant(world, given, "acme"), await newTenant(world, "Globex", "globex")];
		expect(await namesIn(world, acme)).toEqual(named(shown));
		expect(await namesIn(world, globex)).toEqual(named("Globex"));
	});
});
