import { startSmtp } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cookieHeader, makeWorld } from "../auth/world.ts";

const KEY = "management-key-of-32-characters-or-more";
/** What mail programs would decode to `Bank`, a line, and a sign that reverses the rest. */
const ENCODED = "=?utf-8?Q?Bank=0D=0A=E2=80=AE?=";

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let world: Awaited<ReturnType<typeof makeWorld>>;
beforeAll(async () => {
	smtp = await startSmtp();
	world = await makeWorld({
		SMTP_URL: smtp.url,
		MAIL_FROM: "Example <auth@example.com>",
		MAIL_SENDER_DOMAINS: "acme.example",
		INVITATION_URL: "https://:tenant.example.com/invitations/:id",
		MANAGEMENT_KEYS: KEY,
		MANAGEMENT_TRANSFER: "true",
		PLUGINS: "organization",
		TENANT_CACHE_MAX_AGE: "0",
	});
}, 60_000);
afterAll(async () => {
	await world.close();
	await smtp.close();
});

const store = (tenantId: string, metadata: string) =>
	world.pool.query("update tenant set metadata = $1 where id = $2", [metadata, tenantId]);
const mailOf = async (tenantId: string, email: string) => {
	expect((await world.signUp(tenantId, email)).status).toBe(200);
	return smtp.mailTo(email);
};

// threat 102
it("decodes to what was sent, if a tenant or an organization has an encoded name", async () => {
	const mails = [await mailOf(world.globex.id, "owner@example.com")];
	const tenant = await world.auth.api.createTenant({ body: { name: ENCODED, slug: "encoded" } });
	mails.push(await mailOf(tenant.id, "ada@example.com"));
	await world.pool.query(`update "user" set "emailVerified" = true where email = 'owner@example.com'`);
	const { cookies } = await world.signIn(world.globex.id, "owner@example.com");
	const headers = { cookie: cookieHeader(cookies), origin: "http://auth.example.com" };
	const { json } = await world.call("/organization/create", { headers, body: { name: ENCODED, slug: "encoded" } });
	const body = { email: "guest@example.com", role: "member", organizationId: json.id };
	expect((await world.call("/organization/invite-member", { headers, body })).status).toBe(200);
	mails.push(await smtp.mailTo("guest@example.com"));
	for (const { subject, from } of mails) {
		expect(subject).not.toMatch(/\p{C}/u);
		expect(from?.name).not.toMatch(/\p{C}/u);
		expect(from?.name).toMatch(/ via Example$/);
	}
	expect(mails.map(({ subject }) => subject)).toEqual([
		"Confirm your email address for Globex",
		"Confirm your email address for = ?utf-8?Q?Bank=0D=0A=E2=80=AE?=",
		"Invitation to = ?utf-8?Q?Bank=0D=0A=E2=80=AE?= at Globex",
	]);
});

// threat 102
it("tells callers who may not manage nothing about settings and domains", async () => {
	await mailOf(world.acme.id, "member@example.com");
	await world.pool.query(`update "user" set "emailVerified" = true where email = 'member@example.com'`);
	const { cookies } = await world.signIn(world.acme.id, "member@example.com");
	const member = { cookie: cookieHeader(cookies), origin: "http://auth.example.com" };
	const { rows: before } = await world.pool.query("select * from tenant order by id");
	const callers: [Record<string, string>, number][] = [
		[{}, 401],
		[{ authorization: "Bearer wrong" }, 403],
		[member, 403],
	];
	for (const [headers, status] of callers) {
		const answers = new Set<string>();
		for (const mail of [{ from: "a@acme.example" }, { from: "a@other.example" }, { locale: "tlh" }, "de", undefined]) {
			const metadata = { mail };
			for (const [path, body] of [
				["/tenant/create", { name: "New", slug: "new-one", metadata }],
				["/tenant/update", { tenantId: world.acme.id, metadata }],
				["/tenant/update", { tenantId: "nobody", metadata }],
				["/tenant/import", { id: "imported", name: "Imported", slug: "imported", metadata }],
			] as const) {
				const answer = await world.call(path, { headers, body });
				expect(answer.status).toBe(status);
				answers.add(answer.text);
			}
		}
		expect(answers.size).toBe(1);
	}
	expect((await world.pool.query("select * from tenant order by id")).rows).toEqual(before);
});

// threat 102
it("ignores stored settings that are not valid, and warns once per tenant", async () => {
	const hostile = [
		'{"mail":{"senderName":"=?utf-8?Q?Bank?=","locale":"ja"}}',
		'{"mail":{"from":"=?utf-8?q?ceo=40bank.example=3e?=@acme.example"}}',
		'{"mail":{"replyTo":"a@bank.example, b@bank.example","locale":"__proto__"}}',
		'{"mail":{"__proto__":{"locale":"ja","from":"a@acme.example"}}}',
		'{"mail":"ja"}',
	];
	const tenants = await Promise.all(
		hostile.map((_, at) => world.auth.api.createTenant({ body: { name: "Initech", slug: `initech-${at}` } })),
	);
	await store(world.globex.id, '{"plan":"pro","mail":{"locale":"fr"}}');
	for (const [at, { id }] of tenants.entries()) {
		await store(id, hostile[at] ?? "");
		for (const user of ["one", "two"]) {
			const { from, replyTo } = await mailOf(id, `${user}-${at}@example.com`);
			expect(from).toEqual({ name: "Initech via Example", address: "auth@example.com" });
			expect(replyTo).toBeUndefined();
		}
		await mailOf(world.globex.id, `neighbor-${at}@example.com`);
	}
	const warnings = world.lines
		.map((line): Record<string, unknown> => JSON.parse(line))
		.filter(({ msg }) => String(msg).includes("mail settings"));
	expect(warnings.map(({ tenantId }) => tenantId)).toEqual(tenants.map(({ id }) => id));
	expect(warnings[2]).toMatchObject({
		level: 40,
		problems: [
			expect.stringContaining("metadata.mail.locale is unknown"),
			expect.stringContaining("metadata.mail.replyTo is not one address"),
		],
	});
	expect(JSON.stringify(warnings)).not.toContain("bank");
});

it("ignores settings in the prototype of the metadata", async () => {
	await store(world.acme.id, '{"__proto__":{"mail":{"locale":"ja","from":"a@acme.example"}}}');
	const mail = await mailOf(world.acme.id, "prototype@example.com");
	expect(mail.subject).toBe("Confirm your email address for Acme");
	expect(mail.from?.address).toBe("auth@example.com");
	const headers = { authorization: `Bearer ${KEY}` };
	for (const metadata of [`{"__proto__":{"mail":{"locale":"ja"}}}`, `{"mail":{"__proto__":{"locale":"ja"}}}`]) {
		const body = { tenantId: world.globex.id, metadata: JSON.parse(metadata) };
		expect((await world.call("/tenant/update", { headers, body })).status).toBe(400);
	}
});

it("reports a mail that cannot be written, keeps it, and sends the others", async () => {
	const url = "javascript:alert(1)";
	await world.mailer?.send({ to: "x@example.com", tenantId: world.acme.id, request: { kind: "magicLink", url } });
	const warned = () => world.lines.filter((line) => line.includes("could not be written"));
	await expect.poll(warned).not.toEqual([]);
	expect(JSON.parse(warned()[0] ?? "")).toMatchObject({ level: 40, tenantId: world.acme.id, kind: "magicLink" });
	expect(warned().join()).not.toContain("alert");
	expect((await mailOf(world.globex.id, "next@example.com")).subject).toContain("Globex");
	// the row of a mail goes after the mail
	const left = async () => (await world.pool.query("select attempts from tenants_jobs._private_jobs")).rowCount;
	await expect.poll(left).toBe(1);
	expect(smtp.mails.filter(({ envelope }) => envelope.to.includes("x@example.com"))).toEqual([]);
});
