import { Browser } from "test-kit/browser";
import { useIdentityProvider } from "test-kit/social";
import { type Answer, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { ada, asForm, count, createSocialPair } from "./support/two-tenants.ts";

const idp = useIdentityProvider();

/** Values that lead a browser, or a lenient parser, to another site. */
const HOSTILE_URLS = [
	"https://evil.example",
	"https://evil.example/home",
	"http://evil.example",
	"HTTPS://EVIL.EXAMPLE",
	"//evil.example",
	"///evil.example",
	"////evil.example",
	// paths until their dots are resolved
	"/..//evil.example",
	"/.//evil.example",
	"/x/..//evil.example",
	"/%2e%2e//evil.example",
	"/\\evil.example",
	"\\\\evil.example",
	"\\/evil.example",
	"/%5cevil.example",
	"/%5Cevil.example",
	"/%2fevil.example",
	"/%2f/evil.example",
	"/%2F%2Fevil.example",
	"/\t/evil.example",
	"/\n/evil.example",
	"/\r\n/evil.example",
	"/home\r\nlocation: https://evil.example",
	"\thttps://evil.example",
	" https://evil.example",
	"https:evil.example",
	"https:/evil.example",
	"http:///evil.example",
	"http://localhost:3000@evil.example",
	"http://localhost:3000:x@evil.example",
	"https://evil.example\\@localhost:3000",
	"https://evil.example#@localhost:3000",
	"https://evil.example?http://localhost:3000",
	"http://localhost:3000.evil.example",
	"http://localhost:30001",
	"http://localhost",
	"https://localhost:3000",
	"//evil\u3002example",
	"//evil\uff0eexample",
	"http://\u2139ocalhost:3000.evil.example",
	"javascript:alert(1)",
	"JaVaScRiPt:alert(1)",
	"java\tscript:alert(1)",
	"data:text/html,<script>alert(1)</script>",
	"vbscript:msgbox(1)",
	"file:///etc/passwd",
	"ftp://evil.example",
	"blob:https://evil.example/x",
	"evil.example",
	"@evil.example",
	".evil.example",
	"?//evil.example",
	"\u0000//evil.example",
	"/\u0000/evil.example",
];

/** Suspicious values that are rejected or stay on the application's site. */
const ODD_URLS = [
	"/x//evil.example",
	"/;@evil.example",
	"/home?x=//evil.example",
	"/home#//evil.example",
	"/%09/evil.example",
];

const FIELDS = ["callbackURL", "errorCallbackURL", "newUserCallbackURL"] as const;

const isRefused = ({ status }: Answer) => status === 400 || status === 403;

describe("a URL of another site", () => {
	// threat 24
	it("is rejected by Better Auth's own endpoints too, if it looks like a path", async () => {
		const { world, a } = await createSocialPair(idp());
		for (const tenant of [a, undefined]) {
			for (const target of ["/..//evil.example", "/x/..//evil.example", "/%2e%2e//evil.example"]) {
				const answers = [
					await world.call("/verify-email", { tenant, query: { token: "bad", callbackURL: target } }),
					await world.call("/sign-in/social", { tenant, body: { provider: "gitlab", errorCallbackURL: target } }),
					await world.call("/request-password-reset", { tenant, body: { email: "a@example.com", redirectTo: target } }),
				];
				expect([target, answers.map(({ status, location }) => [status, location])]).toEqual([
					target,
					answers.map(() => [403, null]),
				]);
			}
			expect(
				(await world.call("/verify-email", { tenant, query: { token: "bad", callbackURL: "/here//there" } })).location,
			).toContain("/here//there?error=");
		}
	});

	// threat 24
	it.each(FIELDS)(
		`is rejected as %s at the social start, in each of ${HOSTILE_URLS.length} spellings`,
		async (field) => {
			const { world, a, b } = await createSocialPair(idp());
			const passed: unknown[] = [];
			for (const value of HOSTILE_URLS) {
				const body = { tenantId: a, provider: "gitlab", [field]: value };
				for (const [kind, call] of [
					["json", { body }],
					["form", asForm(body)],
					// with a hint for another tenant as well
					["query", { body, query: { callbackURL: "/home" }, tenant: b }],
				] as const) {
					const answer = await world.call("/tenant/sign-in/social", call);
					if (!isRefused(answer) || answer.location !== null)
						passed.push([kind, value, answer.status, answer.location]);
				}
			}
			expect(passed).toEqual([]);
			for (const value of [["https://evil.example"], ["/home", "https://evil.example"], { a: 1 }, 1, true]) {
				const answer = await world.call("/tenant/sign-in/social", {
					body: { tenantId: a, provider: "gitlab", [field]: value },
				});
				expect([value, answer.status]).toEqual([value, 400]);
			}
			expect(await count(world, "verification")).toBe(0);
			// the query is ignored
			await world.call("/tenant/sign-in/social", {
				query: { [field]: "https://evil.example" },
				body: { tenantId: a, provider: "gitlab", callbackURL: "/home" },
			});
			const stored = await world.database.query('select "value" from "verification"');
			expect(JSON.stringify(stored)).not.toContain("evil.example");
		},
	);

	// threat 24
	it("is rejected as callbackURL at sign-in, sign-up and linking: no user, no session", async () => {
		const { world, a, b } = await createSocialPair(idp());
		const member = await world.signUp(b, ada.email);
		await world.signUp(a, ada.email);
		const [users, sessions] = [await count(world, "user"), await count(world, "session")];
		const passed: unknown[] = [];
		for (const callbackURL of HOSTILE_URLS) {
			const person = { tenantId: a, name: "x", password: PASSWORD, callbackURL };
			const links = FIELDS.slice(0, 2).map((field) => ({ provider: "gitlab", [field]: callbackURL }));
			const answers = [
				await world.call("/tenant/sign-in/email", { body: { ...person, email: ada.email } }),
				await world.call("/tenant/sign-in/email", asForm({ ...person, email: ada.email })),
				await world.call("/tenant/sign-up/email", { body: { ...person, email: "new@example.com" } }),
				await world.call("/tenant/sign-up/email", asForm({ ...person, email: "new@example.com" })),
				...(await Promise.all(links.map((body) => world.call("/link-social", { browser: member, body })))),
			];
			for (const [index, answer] of answers.entries()) {
				if (!isRefused(answer) || answer.location !== null) passed.push([callbackURL, index, answer.status]);
			}
		}
		expect(passed).toEqual([]);
		expect([await count(world, "user"), await count(world, "session")]).toEqual([users, sessions]);
		expect(await count(world, "verification")).toBe(0);
	});

	// threat 24
	it.each(["callbackURL", "newUserCallbackURL"])(
		"ends no flow as %s: accepted values stay on the application's site",
		async (field) => {
			const { world, a, b } = await createSocialPair(idp());
			for (const [index, value] of ODD_URLS.entries()) {
				for (const tenantId of [a, b]) {
					const browser = new Browser();
					const body = { tenantId, provider: "gitlab", callbackURL: "/home", [field]: value };
					const started = await world.call("/tenant/sign-in/social", { browser, body });
					if (isRefused(started)) continue;
					const person = { sub: `odd-${index}`, email: `odd-${index}@example.com` };
					const callback = await idp().authorize(started.json.url, person);
					const { status, location } = await world.call(callback, { browser });
					expect([value, status, URL.parse(location ?? "", callback)?.origin]).toEqual([value, 302, ORIGIN]);
				}
			}
			expect(await count(world, "user")).toBeGreaterThanOrEqual(2);
		},
	);
});
