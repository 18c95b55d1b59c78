import { linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { query } from "../pages/invited.ts";
import { startPages, type Tenant } from "../pages/pages-world.ts";

// a busy machine stands still for seconds
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const LOADED = ["image", "script", "style", "font", "audio", "video", "object", "embed"];

let world: Awaited<ReturnType<typeof startPages>>;
let acme: Tenant;
let globex: Tenant;
beforeAll(async () => {
	world = await startPages();
	acme = await world.createTenant("acme");
	globex = await world.createTenant("globex");
});
afterAll(() => world.close());

/** The link that signs in to the account of an attacker. */
const linkTo = async ({ host }: Tenant, email: string): Promise<URL> => {
	const visitor = world.visitor(host);
	await visitor.submit(await visitor.get("/email-link"), { email });
	return new URL(linkIn(await world.smtp.mailTo(email)));
};

// threat 143
it("signs nobody in by a link that another tenant's page loads as its logo", async () => {
	for (const [own, other] of [
		[acme, globex],
		[globex, acme],
	] as const) {
		const link = await linkTo(other, `eve-${other.slug}@example.com`);
		const branded = { tenantId: own.id, metadata: { branding: { logo: link.href } } };
		expect((await world.operate("/tenant/update", branded)).status).toBe(200);
		// the page has the image, and browsers send cookies of the other host with it and keep those that they get
		expect((await world.visitor(own.host).get("/sign-in")).text).toContain(`<img src="${link.origin}/`);
		const load = (dest: string, mode: string) =>
			world.send(other.host, `${link.pathname}${link.search}`, {
				headers: { "sec-fetch-dest": dest, "sec-fetch-site": "same-site", "sec-fetch-mode": mode },
			});
		for (const dest of LOADED) {
			const loaded = await load(dest, "no-cors");
			expect([dest, loaded.status, loaded.headers.getSetCookie()]).toEqual([dest, 403, []]);
		}
		expect(await query(world, 'select 1 from "session" where "tenantId" = $1', [other.id])).toEqual([]);
		// the link itself still works for a visitor who opens it
		const opened = await load("document", "navigate");
		expect([opened.status, opened.headers.getSetCookie().join()]).toEqual([
			302,
			expect.stringContaining("better-auth.session_token="),
		]);
	}
});

// threat 143
it("keeps no token for a page that is loaded as an image, and still serves the pages' own files", async () => {
	for (const { host, slug } of [acme, globex]) {
		const at = (path: string, dest: string) => world.send(host, path, { headers: { "sec-fetch-dest": dest } });
		for (const path of ["/reset-password?token=x", `/t/${slug}/accept-invitation?token=x`]) {
			const loaded = await at(path, "image");
			expect([loaded.status, loaded.headers.getSetCookie()]).toEqual([403, []]);
			// a frame is shown to nobody, but single-page applications renew their tokens in one
			expect((await at(path, "iframe")).status).toBe(303);
		}
		const page = await (await at("/sign-in", "document")).text();
		const [, script = ""] = /<script src="([^"]+)"/.exec(page) ?? [];
		const [, styles = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
		expect([(await at(script, "script")).status, (await at(styles, "style")).status]).toEqual([200, 200]);
	}
});
