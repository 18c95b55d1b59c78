import { expect, it } from "vitest";
import { compose } from "../../src/mail/letter.ts";
import { letters } from "../../src/mail/letters.ts";
import { cleanName, senderName, unlinkedName } from "../../src/mail/names.ts";

const URL_ = "https://auth.example.com/api/auth/verify-email?token=a&callbackURL=%2F";
const ALL = {
	verification: letters.verification("Acme", URL_),
	passwordReset: letters.passwordReset("Acme", URL_),
	emailChange: letters.emailChange("Acme", URL_, "new@example.com"),
	accountDeletion: letters.accountDeletion("Acme", URL_),
	magicLink: letters.magicLink("Acme", URL_),
	oneTimeCode: letters.oneTimeCode("Acme", "123456", "sign in"),
	twoFactorCode: letters.twoFactorCode("Acme", "123456"),
	accountExists: letters.accountExists("Acme"),
	invitation: letters.invitation("Acme", URL_, { inviter: "bo@example.com", organization: "Sales" }),
};

it.each(Object.entries(ALL))(
	"%s names the tenant, how long it is valid, and what to do if it was not requested",
	(name, letter) => {
		const { subject, text, html } = compose(letter);
		expect(subject).toContain("Acme");
		for (const body of [text, html]) {
			expect(body).toContain("Acme");
			if (name !== "accountExists") expect(body).toMatch(/valid for \d+ (minutes|hours)/);
			expect(body).toMatch(/If (this was not you|you did not (ask for|expect) it)/);
		}
		if (letter.link) {
			// once in the text; twice in the HTML, as a button and as text
			expect(text).toContain(`\n${URL_}\n`);
			expect(html.split(`href="${URL_.replaceAll("&", "&amp;")}"`)).toHaveLength(3);
		}
		if (letter.code) for (const body of [text, html]) expect(body).toContain("123456");
	},
);

it.each(Object.entries(ALL))("%s loads nothing: no images, scripts, style sheets or forms", (_name, letter) => {
	const { html } = compose(letter);
	expect(html).not.toMatch(/<(img|script|link|iframe|form|table|style)\b|url\(|@import/i);
	expect(html).toContain('<meta name="color-scheme" content="light dark">');
	expect(new Set(html.match(/https?:\/\/[^"<\s]+/g) ?? [])).toEqual(
		new Set(letter.link ? [URL_.replaceAll("&", "&amp;")] : []),
	);
});

const HOSTILE = [
	'<script>alert(1)</script><a href="https://evil.example">',
	"Acme\r\nBcc: eve@example.com",
	"Your account at https://evil.example/login is locked. Call",
	"support@bank.example",
	`${"very ".repeat(100)}long`,
	"\u202emoc.live\u202c\u0000\u200b\u2028",
	'"; DROP TABLE',
];

it.each(HOSTILE)("a tenant named %j adds no markup, link or line to a letter", (name) => {
	const { subject, text, html } = compose(letters.verification(name, URL_));
	expect(subject).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
	expect(subject.length).toBeLessThan(120);
	expect(html).not.toContain("<script");
	// the only link is ours
	expect(new Set(html.match(/href="[^"]*"/g))).toEqual(new Set([`href="${URL_.replaceAll("&", "&amp;")}"`]));
	for (const body of [text, html]) {
		expect(body.replaceAll(URL_, "").replaceAll(URL_.replaceAll("&", "&amp;"), "")).not.toMatch(
			/https?:\/\/|\w@\w|\w\.(example|com)\b/,
		);
	}
	expect(text.split("\n").some((line) => /^bcc:/i.test(line))).toBe(false);
});

it.each(HOSTILE)("a tenant named %j is still shown as hosted by the sender", (name) => {
	const shown = senderName(name, { name: "Example", address: "auth@example.com" });
	expect(shown).toMatch(/ via Example$/);
	expect(shown).not.toMatch(/[<>@"\p{C}]/u);
	expect(shown.length).toBeLessThan(90);
});

it("leaves ordinary names unchanged", () => {
	for (const name of ["Acme", "Müller & Söhne", "株式会社サンプル", "O'Neill"]) {
		expect(cleanName(name)).toBe(name);
		expect(unlinkedName(name)).toBe(name);
		expect(senderName(name, { name: "Example", address: "a@example.com" })).toBe(`${name} via Example`);
	}
	expect(unlinkedName("Acme Inc.").replaceAll("\u200b", "")).toBe("Acme Inc.");
});

it("rejects a link that is not http or https", () => {
	expect(() => compose(letters.magicLink("Acme", "javascript:alert(1)"))).toThrow();
});
