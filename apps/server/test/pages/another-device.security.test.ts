import { linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { PASSWORD, startPages, type Tenant, textOf, titleOf } from "./pages-world.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let world: Awaited<ReturnType<typeof startPages>>;
let tenants: Tenant[];
beforeAll(async () => {
	world = await startPages();
	tenants = [await world.createTenant("acme"), await world.createTenant("globex", {}, true)];
}, 60_000);
afterAll(() => world.close());

const EMAIL = "ada@example.com";
const linkTo = async (tenant: Tenant, subject: RegExp): Promise<string> => {
	const found = await world.smtp.mailTo(EMAIL, new RegExp(`${subject.source}.*${tenant.slug}`));
	const { pathname, search } = new URL(linkIn(found));
	return `${pathname}${search}`;
};

// threat 4
it.each([0, 1])("asks for a password if the mail is opened on another device, in tenant %i", async (at) => {
	const tenant = tenants[at] as Tenant;
	const { base, host } = tenant;
	const computer = world.visitor(host);
	await computer.submit(await computer.get(`${base}/sign-up`), { name: "Eve", email: EMAIL, password: PASSWORD });

	const phone = world.visitor(host);
	const verified = await phone.get(await linkTo(tenant, /Confirm/));
	expect([verified.status, verified.at]).toEqual([200, `${base}/verified`]);
	expect([titleOf(verified), textOf(verified)]).toEqual([
		`Email confirmed – ${tenant.slug}`,
		expect.stringContaining("Your address is confirmed. Choose a password."),
	]);
	// one click: the address is known
	const asked = await phone.submit(verified, {});
	expect(asked.at).toBe(`${base}/check-email?for=reset`);
	const page = await phone.get(await linkTo(tenant, /Reset/));
	const done = await phone.submit(page, { password: `new ${PASSWORD}` });
	expect(done.at).toBe(`${base}/sign-in?notice=password-changed`);

	const signIn = async (password: string) => {
		const visitor = world.visitor(host);
		return (await visitor.submit(await visitor.get(`${base}/sign-in`), { email: EMAIL, password })).status;
	};
	expect([await signIn(PASSWORD), await signIn(`new ${PASSWORD}`)]).toEqual([401, 200]);
});
