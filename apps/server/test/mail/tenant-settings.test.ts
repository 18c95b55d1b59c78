// cspell:ignore Adresse Bestätigen Confirmez Hier Ihre Kundendienst Stunden adresse diesem gültig melden sich votre
import { codeIn, linkIn, startSmtp } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cookieHeader, makeWorld, PASSWORD } from "../auth/world.ts";

const KEY = "management-key-of-32-characters-or-more";
const OPERATOR = { authorization: `Bearer ${KEY}` };
const GERMAN = {
	locale: "de",
	senderName: "Acme Kundendienst",
	from: "noreply@acme.example",
	replyTo: "hilfe@acme.example",
};

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let world: Awaited<ReturnType<typeof makeWorld>>;
beforeAll(async () => {
	smtp = await startSmtp();
	world = await makeWorld({
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		MAIL_SENDER_DOMAINS: "Acme.example,example.com",
		MAIL_LOCALE: "fr",
		MANAGEMENT_KEYS: KEY,
		MANAGEMENT_TRANSFER: "true",
		PLATFORM_SIGN_UP: "true",
		PLUGINS: "email-otp",
		// settings apply at once
		TENANT_CACHE_MAX_AGE: "0",
	});
}, 60_000);
afterAll(async () => {
	await world.close();
	await smtp.close();
});

const manage = (path: string, body: object, headers: Record<string, string> = OPERATOR) =>
	world.call(path, { headers, body });
const set = (tenantId: string, mail: unknown) =>
	manage("/tenant/update", { tenantId, metadata: { plan: "pro", mail } });
const metadataOf = async (id: string) =>
	(await world.pool.query<{ metadata: string | null }>(`select metadata from tenant where id = $1`, [id])).rows[0]
		?.metadata ?? null;

// threat 102
it("sends mails of two tenants at once, each in its language and from its sender", async () => {
	expect((await set(world.acme.id, GERMAN)).status).toBe(200);
	expect((await set(world.globex.id, { locale: "ja" })).status).toBe(200);
	const emails = Array.from({ length: 4 }, (_, at) => `same-${at}@example.com`);
	// two at a time: a longer queue of passwords would be refused on a busy machine
	for (const email of emails) {
		const signUps = await Promise.all([world.acme, world.globex].map(({ id }) => world.signUp(id, email)));
		expect(signUps.map(({ status }) => status)).toEqual([200, 200]);
	}
	for (const email of emails) {
		const german = await smtp.mailTo(email, /Acme/);
		expect(german).toMatchObject({
			subject: "Bestätigen Sie Ihre E-Mail-Adresse für Acme",
			from: { name: "Acme Kundendienst", address: "noreply@acme.example" },
			replyTo: [{ address: "hilfe@acme.example" }],
			envelope: { from: "noreply@acme.example", to: [email] },
		});
		expect(german.text).toContain("Der Link ist 2 Stunden gültig.");
		expect(german.html).toContain('lang="de"');
		expect(`${german.text}${german.html}`).not.toMatch(/Globex|メール/);

		const japanese = await smtp.mailTo(email, /Globex/);
		expect(japanese).toMatchObject({
			subject: "Globex のメールアドレスの確認",
			from: { name: "Globex via Example", address: "auth@example.com" },
			envelope: { from: "auth@example.com", to: [email] },
		});
		expect(japanese.replyTo).toBeUndefined();
		expect(japanese.text).toContain("このリンクの有効期間は2 時間です。");
		expect(japanese.html).toContain('lang="ja"');
		expect(`${japanese.raw}${japanese.text}${japanese.html}`).not.toMatch(/acme|Bestätigen/i);
	}
	// links are whole in every language
	for (const [tenant, subject] of [
		[world.acme, /Acme/],
		[world.globex, /Globex/],
	] as const) {
		const { cookies } = await world.call(
			linkIn(await smtp.mailTo("same-0@example.com", subject)).replace(/^http:\/\/[^/]+/, ""),
		);
		const session = await world.call("/get-session", { headers: { cookie: cookieHeader(cookies) } });
		expect(session.json.session).toMatchObject({ tenantId: tenant.id });
	}
});

it("writes to platform users in MAIL_LOCALE, and to tenants without a language", async () => {
	const body = { name: "Op", email: "operator@example.com", password: PASSWORD };
	expect((await world.call("/sign-up/email", { body })).status).toBe(200);
	expect(await smtp.mailTo("operator@example.com")).toMatchObject({
		subject: "Confirmez votre adresse e-mail pour Example",
		from: { name: "Example", address: "auth@example.com" },
	});
	const other = await world.auth.api.createTenant({ body: { name: "Initech", slug: "initech" } });
	await world.signUp(other.id, "peter@example.com");
	expect((await smtp.mailTo("peter@example.com")).subject).toBe("Confirmez votre adresse e-mail pour Initech");
});

it("translates what a code is for, also if a newer version stored the mail", async () => {
	await set(world.acme.id, { locale: "de" });
	const email = "code@example.com";
	const body = { email, type: "sign-in" };
	expect((await world.call("/email-otp/send-verification-otp", { tenant: world.acme.id, body })).status).toBe(200);
	const mail = await smtp.mailTo(email);
	expect(mail.text).toContain("Mit diesem Code melden Sie sich bei Acme an.");
	expect(codeIn(mail)).toMatch(/^\d{6}$/);
	await world.mailer?.send({
		to: "newer@example.com",
		tenantId: world.acme.id,
		request: { kind: "oneTimeCode", code: "424242", purpose: "a purpose of tomorrow" },
	});
	const newer = await smtp.mailTo("newer@example.com");
	expect(newer.text).toContain("Hier ist Ihr Code für Acme.");
	expect(codeIn(newer)).toBe("424242");
});

// threat 102
it.each([
	[{ locale: "tlh" }, "metadata.mail.locale"],
	[{ from: "noreply@globex.example" }, "MAIL_SENDER_DOMAINS"],
	[{ from: "noreply@sub.acme.example" }, "MAIL_SENDER_DOMAINS"],
	[{ replyTo: "a@acme.example, b@acme.example" }, "metadata.mail.replyTo"],
	[{ senderName: "Acme\r\nBcc: eve@evil.example" }, "metadata.mail.senderName"],
	[{ sendername: "Acme" }, "metadata.mail has an unknown field"],
	["de", "metadata.mail is not an object"],
])("rejects %j wherever an operator writes metadata, and stores nothing", async (mail, says) => {
	await set(world.acme.id, GERMAN);
	const before = await metadataOf(world.acme.id);
	const tenants = async () => (await world.pool.query("select 1 from tenant")).rowCount;
	const count = await tenants();
	const metadata = { mail };
	for (const refused of [
		await manage("/tenant/create", { name: "New", slug: "new-one", metadata }),
		await manage("/tenant/update", { tenantId: world.acme.id, metadata }),
		await manage("/tenant/import", { id: "imported", name: "Imported", slug: "imported", metadata }),
	]) {
		expect(refused.status).toBe(400);
		expect(refused.json.code).toBe("TENANT_MAIL_INVALID");
		expect(refused.json.message).toContain(says);
		// the list belongs to all tenants
		expect(refused.text).not.toMatch(/acme\.example|example\.com/i);
	}
	await expect(
		world.auth.api.updateTenant({ body: { tenantId: world.acme.id, metadata: { mail } } }),
	).rejects.toMatchObject({ body: { code: "TENANT_MAIL_INVALID" } });
	expect(await metadataOf(world.acme.id)).toBe(before);
	expect(await tenants()).toBe(count);
});

// threat 102
it("accepts settings from operators only", async () => {
	await set(world.acme.id, { locale: "de" });
	const before = await metadataOf(world.acme.id);
	const { cookies } = await world.signIn(world.globex.id, "same-0@example.com");
	const callers: Record<string, string>[] = [
		{},
		{ authorization: "Bearer wrong" },
		{ cookie: cookieHeader(cookies), origin: "http://auth.example.com" },
	];
	for (const headers of callers) {
		const refused = await manage("/tenant/update", { tenantId: world.acme.id, metadata: { mail: GERMAN } }, headers);
		expect([401, 403]).toContain(refused.status);
	}
	expect(await metadataOf(world.acme.id)).toBe(before);
});

// threat 102
it("sends from MAIL_FROM if metadata was written in another way", async () => {
	const stored = { mail: { ...GERMAN, from: "ceo@bank.example", replyTo: "a@x.example,b@x.example" } };
	await world.pool.query("update tenant set metadata = $1 where id = $2", [JSON.stringify(stored), world.acme.id]);
	for (const email of ["forged-1@example.com", "forged-2@example.com"]) {
		await world.signUp(world.acme.id, email);
		const mail = await smtp.mailTo(email);
		expect(mail).toMatchObject({
			subject: "Bestätigen Sie Ihre E-Mail-Adresse für Acme",
			from: { name: "Acme Kundendienst via Example", address: "auth@example.com" },
			envelope: { from: "auth@example.com" },
		});
		expect(mail.replyTo).toBeUndefined();
	}
	const warnings = world.lines.filter((line) => line.includes("MAIL_SENDER_DOMAINS"));
	expect(warnings).toHaveLength(1);
	expect(JSON.parse(warnings[0] ?? "")).toMatchObject({ level: 40, tenantId: world.acme.id });
	expect(warnings[0]).not.toContain("bank.example");
});
