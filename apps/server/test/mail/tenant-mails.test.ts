import { createServer } from "node:net";
import { codeIn, linkIn, startSmtp } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cookieHeader, makeWorld, PASSWORD } from "../auth/world.ts";

const ORIGIN = "http://auth.example.com";
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let world: Awaited<ReturnType<typeof makeWorld>>;
beforeAll(async () => {
	smtp = await startSmtp();
	world = await makeWorld({
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		PLUGINS: "organization,two-factor,magic-link,email-otp",
		INVITATION_URL: "https://:tenant.example.com/invitations/:id",
		PLATFORM_SIGN_UP: "true",
	});
}, 60_000);
afterAll(async () => {
	await world.close();
	await smtp.close();
});

/** The path below the host, opened like a browser does, without custom headers. */
const open = (link: string, options = {}) => world.call(link.replace(ORIGIN, ""), options);
/** In the same browser. */
const withCookiesOf = ({ cookies }: { cookies: string[] }) => ({ headers: { cookie: cookieHeader(cookies) } });
const tenants = () => [world.acme, world.globex];

/** A user with a verified address; returns the session cookie. */
const member = async ({ id, name }: { id: string; name: string }, email: string): Promise<string> => {
	const signedUp = await world.signUp(id, email);
	expect(signedUp.status).toBe(200);
	const link = linkIn(await smtp.mailTo(email, new RegExp(`^Confirm your email.*${name}$`)));
	const { cookies } = await open(link, withCookiesOf(signedUp));
	expect(cookieHeader(cookies)).toContain("session_token");
	return cookieHeader(cookies);
};

it("verifies the same address in two tenants by two mails, each with its own name and link", async () => {
	const mails = [];
	const browsers = [];
	for (const { id, name } of tenants()) {
		const signedUp = await world.signUp(id, "same@example.com");
		expect(signedUp.status).toBe(200);
		browsers.push(withCookiesOf(signedUp));
		const mail = await smtp.mailTo("same@example.com", new RegExp(name));
		expect(mail.subject).toBe(`Confirm your email address for ${name}`);
		expect(mail.from).toEqual({ name: `${name} via Example`, address: "auth@example.com" });
		expect(mail.text).toContain(name);
		mails.push(mail);
	}
	const [ofAcme = "", ofGlobex = ""] = mails.map(linkIn);
	expect(ofAcme).toMatch(/^http:\/\/auth\.example\.com\/api\/auth\/verify-email\?token=/);
	// it is not valid in the other tenant
	const misled = await open(ofAcme, { headers: { "x-tenant-id": world.globex.id } });
	expect(misled.cookies).toEqual([]);
	expect((await world.signIn(world.globex.id, "same@example.com")).status).toBe(403);

	const proven = await open(ofAcme);
	const session = await world.call("/get-session", { headers: { cookie: cookieHeader(proven.cookies) } });
	expect(session.json.session).toMatchObject({ tenantId: world.acme.id });
	expect((await world.signIn(world.globex.id, "same@example.com")).status).toBe(403);
	expect((await open(ofGlobex, browsers[1])).status).toBe(302);
	expect((await world.signIn(world.globex.id, "same@example.com")).status).toBe(200);
});

it("tells the owner of an address, not the caller, that it already has an account", async () => {
	const email = "owner@example.com";
	await member(world.acme, email);
	const again = await world.signUp(world.acme.id, email);
	const fresh = await world.signUp(world.acme.id, "nobody-yet@example.com");
	expect(again.status).toBe(fresh.status);
	expect(Object.keys(again.json)).toEqual(Object.keys(fresh.json));
	expect((await smtp.mailTo(email, /already/)).subject).toBe("You already have an account at Acme");
});

it("resets a password in the requesting tenant, and sends no mail without an account", async () => {
	const email = "reset@example.com";
	for (const tenant of tenants()) await member(tenant, email);
	const ask = (to: string) =>
		world.call("/request-password-reset", { tenant: world.acme.id, body: { email: to, redirectTo: "/new-password" } });
	const [known, unknown] = [await ask(email), await ask("stranger@example.com")];
	expect(known.text).toBe(unknown.text);
	const mail = await smtp.mailTo(email, /Reset/);
	expect(mail.subject).toBe("Reset your password for Acme");
	const { headers } = await open(linkIn(mail));
	const token = new URL(headers.get("location") ?? "", ORIGIN).searchParams.get("token");
	const body = { newPassword: "another horse battery", token };
	expect((await world.call("/reset-password", { tenant: world.globex.id, body })).status).toBe(400);
	expect((await world.call("/reset-password", { body })).status).toBe(200);
	expect((await world.signIn(world.globex.id, email)).status).toBe(200);
	expect((await world.signIn(world.acme.id, email)).status).toBe(401);
	expect(smtp.mails.some(({ envelope }) => envelope.to.includes("stranger@example.com"))).toBe(false);
});

it("changes an address after the old and the new one are confirmed", async () => {
	const cookie = await member(world.acme, "old@example.com");
	const headers = { cookie, origin: ORIGIN };
	expect((await world.call("/change-email", { headers, body: { newEmail: "new@example.com" } })).status).toBe(200);
	const confirmation = await smtp.mailTo("old@example.com", /change of your email/);
	expect(confirmation.text?.replaceAll("\u200b", "")).toContain("to new@example.com");
	await open(linkIn(confirmation));
	await open(linkIn(await smtp.mailTo("new@example.com", /Confirm your email address for Acme/)));
	expect((await world.signIn(world.acme.id, "new@example.com")).status).toBe(200);
	expect((await world.signIn(world.acme.id, "old@example.com")).status).toBe(401);
});

it("deletes an account after its owner confirms", async () => {
	const cookie = await member(world.acme, "leaving@example.com");
	const headers = { cookie, origin: ORIGIN };
	expect((await world.call("/delete-user", { headers, body: {} })).status).toBe(200);
	const link = linkIn(await smtp.mailTo("leaving@example.com", /deletion/));
	expect((await world.signIn(world.acme.id, "leaving@example.com")).status).toBe(200);
	await open(link, { headers: { cookie } });
	expect((await world.signIn(world.acme.id, "leaving@example.com")).status).toBe(401);
});

it("signs in by mailed link and mailed code, in the requesting tenant", async () => {
	const email = "link@example.com";
	for (const { id, name } of tenants()) {
		await world.call("/sign-in/magic-link", { tenant: id, body: { email } });
		const mail = await smtp.mailTo(email, new RegExp(`sign-in link for ${name}`));
		const { cookies } = await open(linkIn(mail));
		const session = await world.call("/get-session", { headers: { cookie: cookieHeader(cookies) } });
		expect(session.json.session).toMatchObject({ tenantId: id });
		// it works once
		expect((await open(linkIn(mail))).cookies).toEqual([]);
	}
	const body = { email, type: "sign-in" };
	expect((await world.call("/email-otp/send-verification-otp", { tenant: world.acme.id, body })).status).toBe(200);
	const otp = codeIn(await smtp.mailTo(email, /Your code for Acme/));
	const signIn = (tenant: string) => world.call("/sign-in/email-otp", { tenant, body: { email, otp } });
	expect((await signIn(world.globex.id)).status).toBe(400);
	expect((await signIn(world.acme.id)).status).toBe(200);
	// neither is stored in plain text
	const { rows } = await world.pool.query("select * from verification");
	expect(JSON.stringify(rows)).not.toContain(otp);
});

it("mails the code that completes a sign-in with two factors", async () => {
	const email = "factor@example.com";
	const cookie = await member(world.acme, email);
	const enabled = await world.call("/two-factor/enable", {
		headers: { cookie, origin: ORIGIN },
		body: { password: PASSWORD },
	});
	expect(enabled.status).toBe(200);
	const totp = await world.pool.query(`update "user" set "twoFactorEnabled" = true where email = $1`, [email]);
	expect(totp.rowCount).toBe(1);
	const first = await world.signIn(world.acme.id, email);
	expect(first.json).toMatchObject({ twoFactorRedirect: true });
	const headers = { cookie: cookieHeader(first.cookies), origin: ORIGIN };
	expect((await world.call("/two-factor/send-otp", { headers, body: {} })).status).toBe(200);
	const code = codeIn(await smtp.mailTo(email, /second factor for Acme/));
	expect((await world.call("/two-factor/verify-otp", { headers, body: { code } })).status).toBe(200);
});

it("invites to an organization by mail, with a link to the application's page", async () => {
	const cookie = await member(world.acme, "boss@example.com");
	const headers = { cookie, origin: ORIGIN };
	const body = { name: "Sales <b>", slug: "sales" };
	const organization = await world.call("/organization/create", { headers, body });
	expect(organization.status).toBe(200);
	const invited = await world.call("/organization/invite-member", {
		headers,
		body: { email: "guest@example.com", role: "member", organizationId: organization.json.id },
	});
	expect(invited.status).toBe(200);
	const mail = await smtp.mailTo("guest@example.com", /Invitation/);
	expect(mail.subject).toBe("Invitation to Sales <b> at Acme");
	expect(mail.html).toContain("Sales &lt;b&gt;");
	expect(linkIn(mail)).toBe(`https://acme.example.com/invitations/${invited.json.id}`);
});

it("mails no platform invitation, which has no slug for the link, and logs it", async () => {
	const email = "platform-boss@example.com";
	await world.call("/sign-up/email", { body: { name: "Op", email, password: PASSWORD } });
	const { cookies } = await open(linkIn(await smtp.mailTo(email)));
	const headers = { cookie: cookieHeader(cookies), origin: ORIGIN };
	const body = { name: "Operators", slug: "operators" };
	const organization = await world.call("/organization/create", { headers, body });
	const invite = (to: string) => ({ email: to, role: "member", organizationId: organization.json.id });
	const invited = await world.call("/organization/invite-member", { headers, body: invite("one@example.com") });
	expect(invited.status).toBe(200);
	await expect.poll(() => world.lines.join("")).toContain("INVITATION_URL");
	// a page without :tenant works for the platform too
	const other = world.open({ INVITATION_URL: "https://app.example.com/invitations/:id" });
	const second = await other.call("/organization/invite-member", { headers, body: invite("two@example.com") });
	const mail = await smtp.mailTo("two@example.com");
	expect(linkIn(mail)).toBe(`https://app.example.com/invitations/${second.json.id}`);
	expect(smtp.mails.filter(({ envelope }) => envelope.to.includes("one@example.com"))).toEqual([]);
});

it("puts no user-chosen name into a mail to an unverified address", async () => {
	const body = { name: "Win money at evil.example", email: "victim@example.com", password: PASSWORD };
	await world.call("/tenant/sign-up/email", { tenant: world.acme.id, body });
	const { raw } = await smtp.mailTo("victim@example.com");
	expect(raw).not.toContain("evil");
});

it("sends mail to platform users in the server's name", async () => {
	const body = { name: "Op", email: "operator@example.com", password: PASSWORD };
	expect((await world.call("/sign-up/email", { body })).status).toBe(200);
	const mail = await smtp.mailTo("operator@example.com");
	expect(mail.from).toEqual({ name: "Example", address: "auth@example.com" });
	expect(mail.subject).toBe("Confirm your email address for Example");
});

it("responds to a sign-up while the mail server hangs or is down", async () => {
	let givenUp = 0;
	const silent = createServer((socket) => {
		socket.on("close", () => {
			givenUp += 1;
		});
	});
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	const address = silent.address();
	const port = typeof address === "object" ? address?.port : 0;
	try {
		for (const [at, url] of [`smtp://127.0.0.1:${port}`, "smtp://127.0.0.1:1"].entries()) {
			const process = world.open({ SMTP_URL: url });
			const { status, json } = await process.signUp(world.acme.id, `slow-${at}@example.com`);
			// it did not wait until the mailer gave up
			expect(givenUp).toBe(0);
			expect(status).toBe(200);
			expect(json.user).toMatchObject({ email: `slow-${at}@example.com` });
		}
	} finally {
		silent.close();
	}
}, 60_000);
