// cspell:ignore mller notexample Ｅxámple
import { describe, expect, it } from "vitest";
import { createSenders } from "../../src/mail/senders.ts";
import { problemsOf, readTenantMail } from "../../src/mail/tenant-mail.ts";

const DOMAINS = ["acme.com", "example.com", "xn--mller-kva.example"];

describe("mail settings of a tenant", () => {
	it.each([
		{},
		{ locale: "ja" },
		{ senderName: "Müller & Söhne" },
		{ from: "noreply@acme.com", replyTo: "help+eu@anywhere.example" },
		{ from: "noreply@ACME.com" },
		{ from: "noreply@müller.example" },
		{ from: "noreply@xn--mller-kva.example" },
		null,
		undefined,
	])("accept %j", (mail) => {
		expect(problemsOf(mail, DOMAINS)).toEqual([]);
	});

	// threat 102
	it.each([
		["a domain outside of the list", { from: "noreply@globex.com" }, "MAIL_SENDER_DOMAINS"],
		["a subdomain of a listed one", { from: "noreply@mail.acme.com" }, "MAIL_SENDER_DOMAINS"],
		["a domain that ends like a listed one", { from: "noreply@evilacme.com" }, "MAIL_SENDER_DOMAINS"],
		["a domain that starts like a listed one", { from: "noreply@acme.com.evil.example" }, "MAIL_SENDER_DOMAINS"],
		["a domain that looks like a listed one", { from: "noreply@\u0430cme.com" }, "MAIL_SENDER_DOMAINS"],
		["a listed domain in the local part", { from: "a@acme.com@evil.example" }, "metadata.mail.from is not one address"],
		["a trailing dot", { from: "noreply@acme.com." }, "metadata.mail.from is not one address"],
		["a quoted local part", { from: '"a b"@acme.com' }, "metadata.mail.from is not one address"],
		["a name with the address", { from: "Acme <noreply@acme.com>" }, "metadata.mail.from is not one address"],
		["a header in the sender", { from: "a@acme.com\r\nBcc: eve@evil.example" }, "metadata.mail.from is not one"],
		[
			"an encoded sender",
			{ from: "=?utf-8?q?ceo=40bank.example=3e?=@acme.com" },
			"metadata.mail.from is not one address",
		],
		["an address to relay", { from: "ceo%bank.example@acme.com" }, "metadata.mail.from is not one address"],
		["a path to relay", { replyTo: "bank.example!ceo@acme.com" }, "metadata.mail.replyTo is not one address"],
		["a comment", { from: "ceo(bank.example)@acme.com" }, "metadata.mail.from is not one address"],
		["an IP literal", { replyTo: "ceo@[127.0.0.1]" }, "metadata.mail.replyTo is not one address"],
		["an IP address", { replyTo: "ceo@127.0.0.1" }, "metadata.mail.replyTo is not one address"],
		["an IP address in other digits", { replyTo: "ceo@0x7f.1" }, "metadata.mail.replyTo is not one address"],
		["an invisible character", { from: "noreply@ac\u200bme.com" }, "metadata.mail.from is not one address"],
		["a line separator", { replyTo: "a@acme.com\u2028b@acme.com" }, "metadata.mail.replyTo is not one address"],
		["several addresses for replies", { replyTo: "a@acme.com, b@acme.com" }, "metadata.mail.replyTo is not one"],
		["a group for replies", { replyTo: "all: a@acme.com;" }, "metadata.mail.replyTo is not one address"],
		["a list for replies", { replyTo: ["a@acme.com"] }, "metadata.mail.replyTo is not one address"],
		["a header for replies", { replyTo: "a@acme.com\nBcc: eve@evil.example" }, "metadata.mail.replyTo is not one"],
		["an address as a name", { senderName: "ceo@bank.example" }, "metadata.mail.senderName is not a name"],
		["a second sender as a name", { senderName: "Bank <a@bank.example>" }, "metadata.mail.senderName is not a name"],
		["a header in a name", { senderName: "Acme\r\nBcc: eve@evil.example" }, "metadata.mail.senderName is not a name"],
		["an encoded name", { senderName: "=?utf-8?Q?ceo=40bank.example?=" }, "metadata.mail.senderName is not a name"],
		["a line separator in a name", { senderName: "Acme\u2028Bank" }, "metadata.mail.senderName is not a name"],
		["a name that shows nothing", { senderName: "\u3164\u2800\ufe0f" }, "metadata.mail.senderName is not a name"],
		["a reversed name", { senderName: "\u202eemca" }, "metadata.mail.senderName is not a name"],
		["an empty name", { senderName: " " }, "metadata.mail.senderName is not a name"],
		["a name of signs only", { senderName: "();" }, "metadata.mail.senderName is not a name"],
		["a long name", { senderName: "x".repeat(65) }, "metadata.mail.senderName is not a name"],
		["an unknown language", { locale: "tlh" }, "metadata.mail.locale is unknown. Use one of en, de, fr, es, ja"],
		["a misspelled field", { sender: "Acme" }, "metadata.mail has an unknown field. Use only locale, senderName"],
		["a text", "de", "metadata.mail is not an object"],
		["a list", [], "metadata.mail is not an object"],
	])("reject %s", (_, mail, says) => {
		const problem = problemsOf(mail, DOMAINS).join();
		expect(problem).toContain(says);
		// neither the list nor what was sent is repeated
		expect(problem).not.toMatch(/xn--|evil|globex|bank/);
	});

	it("are read field by field if they were written in another way", () => {
		const stored = { locale: "de", from: "a@acme.com\r\nBcc: x@evil.example", replyTo: 7, senderName: "a@b", more: 1 };
		expect(readTenantMail(stored)).toEqual({ locale: "de" });
		expect(readTenantMail({ from: "noreply@MÜLLER.example" })).toEqual({ from: "noreply@xn--mller-kva.example" });
		for (const none of [null, undefined, "de", [], 7]) expect(readTenantMail(none)).toEqual({});
	});
});

describe("the sender of a tenant's mails", () => {
	const open = (senderDomains = DOMAINS, from = "Example <auth@example.com>") => ({
		senders: createSenders({ from, senderDomains }),
	});
	const ACME = { name: "Acme" };
	const GLOBEX = { name: "Globex" };

	it("is the server's, with the tenant's name or the name it chose", () => {
		const { senders } = open();
		expect(senders.tenant(ACME, {})).toEqual({ from: { name: "Acme via Example", address: "auth@example.com" } });
		expect(senders.tenant(ACME, { senderName: "Acme Support" }).from.name).toBe("Acme Support via Example");
		expect(senders.platform()).toEqual({ from: { name: "Example", address: "auth@example.com" } });
		const nameless = open(DOMAINS, "auth@example.com").senders;
		expect(nameless.tenant(ACME, {}).from.name).toBe("Acme via example.com");
	});

	it("is its own at a listed domain", () => {
		const { senders } = open();
		const own = senders.tenant(ACME, { from: "noreply@acme.com", replyTo: "help@acme.com" });
		expect(own).toEqual({ from: { name: "Acme", address: "noreply@acme.com" }, replyTo: "help@acme.com" });
		expect(senders.tenant(GLOBEX, {}).from).toEqual({ name: "Globex via Example", address: "auth@example.com" });
	});

	// threat 102
	it("names the server at the server's own domain, so a tenant does not pass for it", () => {
		const { senders } = open();
		const from = { name: "Example Security via Example", address: "security@example.com" };
		expect(senders.tenant({ name: "Example Security" }, { from: "security@example.com" }).from).toEqual(from);
	});

	// threat 102
	it.each([
		["mail.example.com", "Example <auth@example.com>"],
		["example.com", "Example <auth@mail.example.com>"],
	])("names the server at %s, if MAIL_FROM is %s", (domain, from) => {
		const { senders } = open([domain, "acme.com", "notexample.com"], from);
		const nameAt = (at: string) => senders.tenant({ name: "Security" }, { from: `a@${at}` }).from.name;
		expect([domain, "acme.com", "notexample.com"].map(nameAt)).toEqual([
			"Security via Example",
			"Security",
			"Security",
		]);
	});

	// threat 102
	it.each(["Example", "EXAMPLE Security", "Ex ample", "Ｅxámple", "Acme via Example"])(
		"names its own domain if it is called %s, so it does not pass for the server",
		(name) => {
			const { senders } = open();
			for (const [tenant, settings] of [
				[{ name }, {}],
				[ACME, { senderName: name }],
			] as const)
				expect(senders.tenant(tenant, { ...settings, from: "noreply@acme.com" }).from).toEqual({
					name: `${name.normalize("NFC")} via acme.com`,
					address: "noreply@acme.com",
				});
			expect(senders.tenant(GLOBEX, { from: "noreply@acme.com" }).from.name).toBe("Globex");
		},
	);

	// threat 102
	it("is the server's if its domain left the list", () => {
		const { senders } = open(["example.com"]);
		for (const tenant of [ACME, GLOBEX])
			expect(senders.tenant(tenant, { from: "noreply@acme.com" }).from).toEqual({
				name: `${tenant.name} via Example`,
				address: "auth@example.com",
			});
	});
});
