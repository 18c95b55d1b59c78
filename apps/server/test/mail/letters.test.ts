// cspell:ignore Hier Stunden
import { expect, it } from "vitest";
import { LOCALES, type Locale } from "../../src/lib/locales.ts";
import { writeLetter } from "../../src/mail/letter.ts";
import type { LetterRequest } from "../../src/mail/letter-request.ts";
import { cleanName, senderName, unlinkedName } from "../../src/mail/names.ts";
import { compose } from "../../src/mail/template/compose.ts";

const URL_ = "https://auth.example.com/api/auth/verify-email?token=a&callbackURL=%2F";
const IN_HTML = URL_.replaceAll("&", "&amp;");
const INVITATION = { page: URL_, id: "1" };

/** Each kind of letter, with these names by others. */
const requestsWith = (other: string): LetterRequest[] => [
	{ kind: "verification", url: URL_ },
	{ kind: "passwordReset", url: URL_ },
	{ kind: "emailChange", url: URL_, newAddress: other },
	{ kind: "accountDeletion", url: URL_ },
	{ kind: "magicLink", url: URL_ },
	...["sign-in", "email-verification", "forget-password", "change-email", "sign in"].map(
		(purpose): LetterRequest => ({ kind: "oneTimeCode", code: "123456", purpose }),
	),
	{ kind: "twoFactorCode", code: "123456" },
	{ kind: "accountExists" },
	{ kind: "invitation", ...INVITATION, inviter: other, organization: other },
	{ kind: "tenantInvitation", url: URL_, inviter: other },
];
const nameOf = (request: LetterRequest) =>
	"purpose" in request ? `${request.kind} to ${request.purpose}` : request.kind;
const write = (request: LetterRequest, locale: Locale, name = "Acme") =>
	compose(writeLetter(request, { name, slug: "acme", locale }));

const ALL = LOCALES.flatMap((locale) =>
	requestsWith("bo@example.com").map((request) => [locale, nameOf(request), request] as const),
);

/** How long it is valid, and what to do if the reader did not ask for it. */
const VALID: Record<Locale, RegExp> = {
	en: /valid for \d+ (minutes|hours)/,
	de: /ist \d+ (Minuten|Stunden) gültig/,
	fr: /valable pendant \d+\s(minutes|heures)/,
	es: /válid[oa] durante \d+ (minutos|horas)/,
	ja: /有効期間は\d+ (分|時間)/,
};
const IF_NOT_YOU: Record<Locale, RegExp> = {
	en: /If (this was not you|you did not (ask for|expect) it)/,
	de: /Falls Sie (das nicht waren|ihn nicht angefordert haben|sie nicht erwartet haben)/,
	fr: /Si vous (n’êtes pas à l’origine|ne l’avez pas demandé|ne l’attendiez pas)/,
	es: /Si no (ha sido usted|lo ha solicitado|la esperaba)/,
	ja: /お心当たりがない場合/,
};

it.each(ALL)(
	"in %s, %s names the tenant, its validity, and what to do if it was not requested",
	async (locale, _, request) => {
		const { subject, text, html } = await write(request, locale);
		expect(subject).toContain("Acme");
		for (const body of [text, html]) {
			expect(body).toContain("Acme");
			if (request.kind !== "accountExists") expect(body).toMatch(VALID[locale]);
			expect(body).toMatch(IF_NOT_YOU[locale]);
		}
		const hasLink = "url" in request || "page" in request;
		if (hasLink) {
			// once in the text, on a line of its own; twice in the HTML, as a button and as text
			expect(text.split("\n").filter((line) => line === URL_)).toHaveLength(1);
			expect(html.split(`href="${IN_HTML}"`)).toHaveLength(3);
		}
		// on a line of its own, so it can be selected; not in the preview, which a locked screen shows
		if ("code" in request) {
			expect(text.split("\n")).toContain("123456");
			expect(html.split("123456")).toHaveLength(2);
		}
		expect(html).toContain(`lang="${locale}"`);
		expect(html).toContain('dir="ltr"');
	},
);

it.each(ALL)("in %s, %s is small and loads nothing", async (_locale, _name, request) => {
	const { html } = await write(request, _locale);
	expect(html).not.toMatch(/<(img|script|link|iframe|form|object|svg|video)\b|url\(|@import|@font-face/i);
	expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
	expect(html).toContain("prefers-color-scheme:dark");
	const addresses = html.replace(/^<!DOCTYPE[^>]*>/, "").match(/https?:\/\/[^"<\s]+/g) ?? [];
	expect(new Set(addresses)).toEqual(new Set("url" in request || "page" in request ? [IN_HTML] : []));
	expect(Buffer.byteLength(html)).toBeLessThan(10_000);
});

it("writes the same letter differently in each language", () => {
	for (const request of requestsWith("bo@example.com")) {
		const letters = LOCALES.map((locale) => writeLetter(request, { name: "Acme", slug: "acme", locale }));
		for (const part of ["subject", "opening", "closing"] as const)
			expect(new Set(letters.map((letter) => letter[part])).size).toBe(LOCALES.length);
	}
});

it("writes durations with the units of each language", () => {
	const closings = LOCALES.map(
		(locale) => writeLetter({ kind: "verification", url: URL_ }, { name: "Acme", slug: "acme", locale }).closing,
	);
	const durations = ["2 hours", "2 Stunden", "2\u00a0heures", "2 horas", "2 時間"];
	expect(closings.map((closing, at) => closing.includes(durations[at] ?? "?"))).toEqual(durations.map(() => true));
});

it("writes a neutral text for a purpose of another version", async () => {
	// the last two are names that every object has
	for (const purpose of ["a purpose of tomorrow", "constructor", "__proto__"]) {
		const request: LetterRequest = { kind: "oneTimeCode", code: "123456", purpose };
		expect((await write(request, "en")).text).toContain("Here is your code for Acme.");
		expect((await write(request, "de")).text).toContain("Hier ist Ihr Code für Acme.");
	}
});

const HOSTILE = [
	'<script>alert(1)</script><a href="https://evil.example">',
	"Acme\r\nBcc: eve@example.com",
	"Your account at https://evil.example/login is locked. Call",
	"support@bank.example",
	`${"very ".repeat(100)}long`,
	"\u202emoc.live\u202c\u0000\u200b\u2028",
	'"; DROP TABLE',
	// encoded words, which mail programs would decode in a subject or a sender (RFC 2047)
	"=?utf-8?Q?=E2=80=AE_https=3A//evil.example=0D=0ABcc:_eve?=",
	"=\u200b?utf-8?B?ZXZpbA==?= =\u3164?utf-8?B?ZXZpbA==?=",
	// browsers read these signs as . : / @
	"https：／／evil．example evil。example evil｡example eve＠evil․example",
	"&lt;b&gt; </td></table><style>*{display:none}</style>",
];

/** Without what fills up a short preview. */
const elementsOf = (html: string) => html.replace(/<div>[\s\p{Cf}]*<\/div>/u, "").match(/<\/?[a-z!][a-z0-9]*/gi);

it.each(LOCALES.flatMap((locale) => HOSTILE.map((name) => [locale, name] as const)))(
	"in %s, a tenant, organization, inviter and new address named %j add no markup, link or line",
	async (locale, name) => {
		const plain = await Promise.all(requestsWith("Bo").map((request) => write(request, locale)));
		for (const [at, request] of requestsWith(name).entries()) {
			const { subject, text, html } = await write(request, locale, name);
			expect(subject).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
			expect(subject).not.toMatch(/=\?|[\u115f\u1160\u3164\uffa0\u2800]/);
			expect(subject.length).toBeLessThan(260);
			// the same elements and the same lines as with harmless names
			expect(elementsOf(html)).toEqual(elementsOf(plain[at]?.html ?? ""));
			expect(text.split("\n")).toHaveLength(plain[at]?.text.split("\n").length ?? 0);
			const isLinked = "url" in request || "page" in request;
			expect(new Set(html.match(/href="[^"]*"/g))).toEqual(new Set(isLinked ? [`href="${IN_HTML}"`] : []));
			const shown = html.replace(/^<!DOCTYPE[^>]*>/, "").replace(/<(title|style)>.*?<\/\1>/gs, "");
			for (const body of [text, shown])
				expect(body.replaceAll(URL_, "").replaceAll(IN_HTML, "")).not.toMatch(
					/https?[:：][/／]|\w[@＠]\w|\w[.．。｡․](example|com|live)\b/,
				);
		}
	},
);

it.each(HOSTILE)("a tenant named %j is still shown as hosted by the sender", (name) => {
	const shown = senderName(name, { name: "Example", address: "auth@example.com" });
	expect(shown).toMatch(/ via Example$/);
	expect(shown).not.toMatch(/[<>@"\p{C}]|=\?/u);
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

it("shows where a long address ends", async () => {
	const newAddress = `ada@example.com.${"a".repeat(60)}.evil.example`;
	for (const locale of LOCALES) {
		const { text } = await write({ kind: "emailChange", url: URL_, newAddress }, locale);
		expect(text.replaceAll("\u200b", "")).toMatch(/ada@example\.com\.a+…a+\.evil\.example/);
	}
});

it("rejects a link that is not http or https", async () => {
	for (const url of ["javascript:alert(1)", "data:text/html,x", "no address"])
		await expect(write({ kind: "magicLink", url }, "en")).rejects.toThrow();
});
