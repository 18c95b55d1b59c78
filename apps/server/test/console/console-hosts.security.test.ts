import { Browser } from "test-kit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, PASSWORD, startConsole } from "./console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
	world = await startConsole({
		TRUSTED_PROXIES: "127.0.0.1",
		PLATFORM_HOSTS: "127.0.0.1",
		TENANT_RESOLVER: "custom-domain,subdomain,path",
		TENANT_DOMAIN: "app.example.test",
	});
	for (const { id, slug } of [world.acme, world.globex]) {
		const body = { tenantId: id, domain: `login.${slug}.test` };
		expect((await world.call("/tenant/domain/add", { as: "key", body })).status).toBe(200);
	}
});
afterAll(() => world.close());

type Place = { host: string; base: string };

/** Where a tenant has its console. */
const PLACES: [name: string, placeOf: (slug: string) => Place][] = [
	["its subdomain", (slug) => ({ host: `${slug}.app.example.test`, base: "" })],
	["its own domain", (slug) => ({ host: `login.${slug}.test`, base: "" })],
	["its path", (slug) => ({ host: "auth.example.test", base: `/t/${slug}` })],
];

/** What the pages of an admin read. */
const READS = ["user/list", "branding", "events", "sign-ins", "policy/get", "oauth-config/list"];

const send = async ({ host, base }: Place, path: string, cookie = "", body?: object): Promise<Response> =>
	fetch(`${world.service.url}${base}${path}`, {
		method: body ? "POST" : "GET",
		headers: {
			"x-forwarded-host": host,
			origin: `http://${host}`,
			cookie,
			...(body ? { "content-type": "application/json" } : {}),
		},
		...(body ? { body: JSON.stringify(body) } : {}),
	});

/** Signs the admin in where the tenant's users do. Both tenants' admins have the same address and password. */
const signIn = async (place: Place): Promise<string> => {
	const browser = new Browser();
	const body = { email: "admin@example.com", password: PASSWORD };
	const answer = await send(place, "/api/auth/sign-in/email", "", body);
	expect(answer.status).toBe(200);
	browser.take(answer);
	return browser.header();
};

describe.each(PLACES)("the console of a tenant at %s", (_name, placeOf) => {
	it("opens with the place in its page, and works for an admin of the tenant", async () => {
		for (const { id, slug, admin } of [world.acme, world.globex]) {
			const place = placeOf(slug);
			const page = await send(place, "/console/tenant/users");
			const html = await page.text();
			expect([page.status, html]).toEqual([200, expect.stringContaining(`data-base="${place.base}"`)]);
			expect(html).toContain(`data-sign-in="${place.base}/sign-in"`);
			const cookie = await signIn(place);
			const opened = await send(place, "/api/auth/tenant/console", cookie);
			expect(await opened.json()).toMatchObject({
				place: "tenant",
				tenant: { id },
				role: "admin",
				user: { id: admin.id },
			});
			for (const path of READS) {
				const answer = await send(place, `/api/auth/tenant/${path}?tenantId=${id}`, cookie);
				expect([path, answer.status]).toEqual([path, 200]);
			}
		}
	});

	// threat 128
	it("shows and changes nothing for an admin of another tenant", async () => {
		const { acme, globex, pool } = world;
		const rows = async () => (await pool.query(`select * from "user" order by "id"`)).rows as unknown[];
		const before = await rows();
		for (const [own, other] of [
			[acme, globex],
			[globex, acme],
		] as const) {
			const cookie = await signIn(placeOf(own.slug));
			const there = placeOf(other.slug);
			const expectRefusal = async (path: string, body?: object): Promise<void> => {
				const answer = await send(there, `/api/auth${path}`, cookie, body);
				expect([path, [401, 403].includes(answer.status)]).toEqual([path, true]);
				const text = await answer.text();
				for (const secret of [other.id, other.owner.id, other.member.id, own.member.id, "owner@example.com"])
					expect(text).not.toContain(secret);
			};
			await expectRefusal("/tenant/console");
			// tenants with paths share a host, where management follows the session: only the page has to refuse it
			for (const { id, member } of there.base === "" ? [other, own] : [other]) {
				await expectRefusal(`/tenant/console?tenantId=${id}`);
				for (const path of READS) await expectRefusal(`/tenant/${path}?tenantId=${id}`);
				await expectRefusal("/tenant/user/remove", { tenantId: id, userId: member.id });
				await expectRefusal("/tenant/user/set-role", { tenantId: id, userId: member.id, role: "admin" });
			}
		}
		expect(await rows()).toEqual(before);
	});
});

it("has no console for a host of nobody", async () => {
	const cookie = await signIn({ host: "login.acme.test", base: "" });
	for (const host of ["nobody.app.example.test", "login.nobody.test", "app.example.test.evil.test"]) {
		const answer = await send({ host, base: "" }, "/api/auth/tenant/console", cookie);
		expect([host, answer.status]).toEqual([host, 404]);
	}
});
