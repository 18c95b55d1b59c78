import { linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { PASSWORD, startPages, type Tenant, textOf, titleOf, type Visitor } from "./pages-world.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let world: Awaited<ReturnType<typeof startPages>>;
let tenants: Tenant[];
beforeAll(async () => {
	world = await startPages();
	tenants = [
		await world.createTenant("acme"),
		await world.createTenant("globex"),
		await world.createTenant("initech", {}, true),
		await world.createTenant("umbrella", {}, true),
	];
}, 60_000);
afterAll(() => world.close());

const EMAIL = "ada@example.com";
const linkTo = async (tenant: Tenant, email: string, subject: RegExp): Promise<string> => {
	const found = await world.smtp.mailTo(email, new RegExp(`${subject.source}.*${tenant.slug}`));
	const { pathname, search } = new URL(linkIn(found));
	return `${pathname}${search}`;
};
const signIn = async (visitor: Visitor, { base }: Tenant, password = PASSWORD, query = "") =>
	visitor.submit(await visitor.get(`${base}/sign-in${query}`), { email: EMAIL, password });

// threat 119
it.each([0, 1, 2, 3])(
	"signs the same email up, verifies it and signs in, without JavaScript, in tenant %i",
	async (at) => {
		const tenant = tenants[at] as Tenant;
		const { base, host, id } = tenant;
		const visitor = world.visitor(host);
		const page = await visitor.get(`${base}/sign-up`);
		expect([page.status, titleOf(page)]).toEqual([200, `Create your account at ${tenant.slug}`]);
		const password = `${PASSWORD} ${tenant.slug}`;
		const sent = await visitor.submit(page, { name: "Ada", email: EMAIL, password });
		expect([sent.status, sent.at]).toEqual([200, `${base}/check-email?for=verify`]);
		expect(textOf(sent)).toContain(`We sent a link to ${EMAIL}.`);
		expect(await visitor.session(base)).toBeNull();

		const early = await signIn(visitor, tenant, password);
		expect(early.at).toBe(`${base}/check-email?for=verify`);

		const verified = await visitor.get(await linkTo(tenant, EMAIL, /Confirm/));
		expect([verified.status, verified.at]).toEqual([200, `${base}/verified`]);
		expect((await visitor.session(base))?.session).toMatchObject({ tenantId: id });
		const here = await visitor.get(`${base}/signed-in`);
		expect(textOf(here)).toContain(`Signed in as ${EMAIL}.`);
		const out = await visitor.submit(here, {});
		expect([out.status, out.at]).toEqual([200, `${base}/signed-out`]);
		expect(await visitor.session(base)).toBeNull();

		const wrong = await signIn(visitor, tenant, "wrong password");
		expect([wrong.status, titleOf(wrong)]).toEqual([401, `Error: Sign in to ${tenant.slug}`]);
		expect(wrong.text).toMatch(/<p class="error" id="password-error">Email or password is wrong\.<\/p>/);
		expect(wrong.forms[0]?.fields.email).toBe(EMAIL);
		const inside = await signIn(visitor, tenant, password);
		expect([inside.status, inside.at]).toEqual([200, `${base}/signed-in`]);
		expect((await visitor.session(base))?.session).toMatchObject({ tenantId: id });
	},
);

// threat 119
it("rejects the password that the same email has in another tenant", async () => {
	for (const [at, tenant] of tenants.entries()) {
		const other = tenants[(at + 1) % tenants.length] as Tenant;
		const tried = await signIn(world.visitor(tenant.host), tenant, `${PASSWORD} ${other.slug}`);
		expect([tried.status, tried.headers.getSetCookie()]).toEqual([401, []]);
	}
});

it("resets a forgotten password with a link whose token stays in no URL", async () => {
	for (const tenant of [tenants[0], tenants[2]] as Tenant[]) {
		const { base, host } = tenant;
		const visitor = world.visitor(host);
		const asked = await visitor.submit(await visitor.get(`${base}/forgot-password`), { email: EMAIL });
		expect(asked.at).toBe(`${base}/check-email?for=reset`);
		const page = await visitor.get(await linkTo(tenant, EMAIL, /Reset/));
		expect([page.status, page.at]).toEqual([200, `${base}/reset-password`]);
		const short = await visitor.submit(page, { password: "short" });
		expect([short.status, textOf(short)]).toEqual([400, expect.stringContaining("Use at least 8 characters.")]);
		const done = await visitor.submit(page, { password: `new ${PASSWORD} ${tenant.slug}` });
		expect(done.at).toBe(`${base}/sign-in?notice=password-changed`);
		expect(textOf(done)).toContain("Your password is changed.");
		expect((await visitor.submit(page, { password: "another password" })).status).toBe(400);
		const inside = await visitor.submit(done, { email: EMAIL, password: `new ${PASSWORD} ${tenant.slug}` });
		expect(inside.at).toBe(`${base}/signed-in`);
	}
});

it("does not say whether an address has an account", async () => {
	const [tenant] = tenants as [Tenant];
	const bodies = new Set<string>();
	for (const email of [EMAIL, "nobody@example.com"]) {
		const visitor = world.visitor(tenant.host);
		const asked = await visitor.submit(await visitor.get("/forgot-password"), { email });
		bodies.add(textOf(asked).replaceAll(email, "…"));
		const wrong = await visitor.submit(await visitor.get("/sign-in"), { email, password: "wrong password" });
		expect([wrong.status, wrong.text.includes("Email or password is wrong.")]).toEqual([401, true]);
	}
	expect(bodies.size).toBe(1);
});
