import { gzipSync } from "node:zlib";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { inviteTo } from "./invited.ts";
import { PASSWORD, type Shown, startPages, type Tenant, textOf, type Visitor } from "./pages-world.ts";
import { readQrCode } from "./read-qr-code.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const ADA = "ada@example.com";

let world: Awaited<ReturnType<typeof startPages>>;
let acme: Tenant;
let initech: Tenant;
let globex: Tenant;
beforeAll(async () => {
	world = await startPages({ TENANT_POLICY: "true", REQUIRE_EMAIL_VERIFICATION: "false" });
	acme = await world.createTenant("acme");
	initech = await world.createTenant("initech", {}, true);
	globex = await world.createTenant("globex");
	for (const { host, base } of [acme, initech, globex]) {
		const visitor = world.visitor(host);
		await visitor.submit(await visitor.get(`${base}/sign-up`), { name: "Ada", email: ADA, password: PASSWORD });
	}
	for (const { id } of [acme, initech])
		await world.operate("/tenant/policy/update", { tenantId: id, policy: { secondFactor: "required" } });
}, 120_000);
afterAll(() => world.close());

const signIn = async (visitor: Visitor, { base }: Tenant, query = "") =>
	visitor.submit(await visitor.get(`${base}/sign-in${query}`), { email: ADA, password: PASSWORD });

/** Reads the key of the page as a user would type it into an app. */
const codesOf = (page: Shown): (() => Promise<string>) => {
	const [, key = ""] = /<p class="secret"><code>([A-Z2-7 ]+)<\/code>/.exec(page.text) ?? [];
	const secret = new TextDecoder().decode(base32.decode(key.replaceAll(" ", "")));
	return () => createOTP(secret).totp();
};

/** The page with the files that it names, in compressed bytes. */
const weigh = async (host: string, { text }: Shown): Promise<number> => {
	const paths = [...text.matchAll(/(?:href|src)="(\/pages\/[^"]+)"/g)].map(([, path = ""]) => path);
	expect(paths.length).toBeGreaterThan(1);
	const files = await Promise.all(paths.map(async (path) => (await world.send(host, path)).text()));
	return [text, ...files].reduce((sum, body) => sum + gzipSync(body).byteLength, 0);
};

it("sets up an app at the first sign-in, and asks for its code at the next", async () => {
	for (const tenant of [acme, initech]) {
		const { host, base } = tenant;
		const visitor = world.visitor(host);
		const asked = await signIn(visitor, tenant, "?returnTo=/home");
		expect([asked.status, asked.at]).toEqual([200, `${base}/set-up-two-factor?returnTo=%2Fhome`]);
		expect(textOf(asked)).toContain(`${tenant.slug} requires one.`);
		expect(await visitor.session(base)).toBeNull();
		const wrong = await visitor.submit(asked, { password: "wrong password" });
		expect([wrong.status, textOf(wrong)]).toEqual([400, expect.stringContaining("This password is wrong.")]);
		const shown = await visitor.submit(asked, { password: PASSWORD });
		expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
		const [, uri = ""] = /<a href="(otpauth:[^"]+)"/.exec(shown.text) ?? [];
		expect(uri).toContain("secret=");
		expect(new URL(uri.replaceAll("&amp;", "&")).searchParams.get("issuer")).toBe(tenant.slug);
		expect(readQrCode(shown.text)).toBe(uri.replaceAll("&amp;", "&"));
		expect(await weigh(host, shown)).toBeLessThan(15_000);
		const code = codesOf(shown);
		const mistyped = await visitor.submit(shown, { code: "000000" });
		expect([mistyped.status, mistyped.text.includes('id="code-error"')]).toEqual([401, true]);
		expect(await visitor.session(base)).toBeNull();
		expect((await visitor.submit(mistyped, { code: await code() })).leadsTo).toBe("/home");
		expect((await visitor.session(base))?.session).toMatchObject({ tenantId: tenant.id });
		// nothing is left to set up, here and for a stranger
		expect((await visitor.get(`${base}/set-up-two-factor`)).at).toBe(`${base}/signed-in`);
		expect((await world.visitor(host).get(`${base}/set-up-two-factor`)).at).toBe(`${base}/sign-in`);

		const later = world.visitor(host);
		const again = await signIn(later, tenant);
		expect(again.at.split("?")[0]).toBe(`${base}/two-factor`);
		expect((await later.submit(again, { code: await code() })).at).toBe(`${base}/signed-in`);

		// a mailed link is a first factor, too
		const mailed = world.visitor(host);
		await mailed.submit(await mailed.get(`${base}/email-link`), { email: ADA });
		const link = new URL(linkIn(await world.smtp.mailTo(ADA, new RegExp(`sign-in link.*${tenant.slug}`))));
		const opened = await mailed.get(`${link.pathname}${link.search}`);
		expect(opened.at).toBe(`${base}/two-factor?methods=totp.otp`);
		expect(await mailed.session(base)).toBeNull();
		expect((await mailed.submit(opened, { code: await code() })).at).toBe(`${base}/signed-in`);
	}
	// a neighbor without the rule
	expect((await signIn(world.visitor(globex.host), globex)).at).toBe("/signed-in");
});

it("sets up an app when an invitation is accepted", async () => {
	for (const tenant of [acme, initech]) {
		const { host, base } = tenant;
		const { path } = await inviteTo(world, tenant, "mia@example.com");
		const visitor = world.visitor(host);
		const asked = await visitor.submit(await visitor.get(path), { name: "Mia", password: PASSWORD });
		expect(asked.at).toBe(`${base}/set-up-two-factor`);
		expect(await visitor.session(base)).toBeNull();
		const shown = await visitor.submit(asked, { password: PASSWORD });
		expect((await visitor.submit(shown, { code: await codesOf(shown)() })).at).toBe(`${base}/signed-in`);
		expect((await visitor.session(base))?.user).toMatchObject({ email: "mia@example.com" });
	}
});
