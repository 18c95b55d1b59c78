import { PASSWORD } from "test-kit/world";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStage, type Stage, type Visitor } from "./support/stage.tsx";

const EMAIL = "ada@example.com";
/** Proves the address by mail, and Better Auth drops an unverified user's password then. */
const BY_MAIL = "grace@example.com";
const OTHER_PASSWORD = "another horse battery";

let stage: Stage;
let visitor: Visitor;
beforeAll(async () => {
	stage = await openStage();
	await stage.signUp(stage.acme, EMAIL);
	await stage.signUp(stage.acme, BY_MAIL);
	await stage.signUp(stage.globex, EMAIL, OTHER_PASSWORD);
});
afterAll(() => stage.close());
afterEach(async () => {
	const { wrong } = visitor;
	await visitor.close();
	expect(wrong).toEqual([]);
});

const visit = async (query: Record<string, string> = {}, path = "/sign-in"): Promise<Visitor> => {
	visitor = await stage.open(path, { tenant: stage.acme, ...query });
	return visitor;
};

describe("a password", () => {
	it("signs the same email in as two users, each with the password of their tenant", async () => {
		const { signIn, userId, who, switchTo, part } = await visit();
		await signIn(EMAIL, PASSWORD);
		const atAcme = await userId();
		await switchTo(stage.globex);
		await who.filter({ hasText: "nobody" }).waitFor();
		await signIn(EMAIL, PASSWORD);
		await part("field-error").filter({ hasText: "Email or password is wrong." }).waitFor();
		await signIn(EMAIL, OTHER_PASSWORD);
		const atGlobex = await userId();
		expect(atAcme).not.toBe(atGlobex);
		const users = await stage.database.query(`select "id", "tenantId" from "user" where "email" = '${EMAIL}'`);
		expect(users.find(({ id }) => id === atAcme)?.tenantId).toBe(stage.acme);
		expect(users.find(({ id }) => id === atGlobex)?.tenantId).toBe(stage.globex);
	});

	it("shows errors at their fields, and moves the focus there", async () => {
		const { page, signIn, part, expectAccessible } = await visit();
		const password = page.getByLabel("Password", { exact: true });
		await signIn("", "");
		await part("field-error").filter({ hasText: "Fill this in." }).waitFor();
		await signIn("ada", PASSWORD);
		await signIn(EMAIL, "wrong password");
		const error = part("field-error").filter({ hasText: "Email or password is wrong." });
		await error.waitFor();
		expect(await password.getAttribute("aria-invalid")).toBe("true");
		expect(await password.getAttribute("aria-describedby")).toBe(await error.getAttribute("id"));
		expect(await password.evaluate((element) => element === document.activeElement)).toBe(true);
		await expectAccessible();
	});

	it("works with the keyboard alone", async () => {
		const { page, userId } = await visit();
		await page.getByLabel("Email or username").focus();
		await page.keyboard.type(EMAIL);
		await page.keyboard.press("Tab");
		await page.keyboard.type(PASSWORD);
		await page.keyboard.press("Enter");
		expect(await userId()).not.toBe("");
	});

	it("has the attributes that password managers need", async () => {
		const { page, part } = await visit();
		await part("form").waitFor();
		expect(await page.locator("input[name=email]").getAttribute("autocomplete")).toBe("username");
		expect(await page.locator("input[name=password]").getAttribute("autocomplete")).toBe("current-password");
		expect(await part("form").getAttribute("method")).toBe("post");
	});
});

describe("the methods", () => {
	it("are those of the tenant, in order", async () => {
		const { part, method, switchTo, expectAccessible } = await visit();
		await method("social:github").waitFor();
		const shown = await part("method").evaluateAll((all) => all.map((one) => one.getAttribute("data-method")));
		expect(shown).toEqual(["email-link", "email-code", "passkey", "social:github"]);
		await expectAccessible();
		await switchTo(stage.globex);
		await part("form").waitFor();
		expect(await part("method").count()).toBe(0);
	});

	it("are loaded once", async () => {
		const responses: string[] = [];
		const { page, part, context } = await visit();
		// the first load must not finish after it is counted
		await part("form").waitFor();
		context.on("requestfinished", (request) => responses.push(new URL(request.url()).pathname));
		await page.reload();
		await part("form").waitFor();
		await page.getByLabel("Email or username").fill(EMAIL);
		expect(responses.filter((path) => path.endsWith("/tenant/methods"))).toHaveLength(1);
	});

	it("can be loaded again after an error", async () => {
		const { page, part, expectAccessible } = await visit();
		await page.route("**/tenant/methods", (route) => route.abort(), { times: 2 });
		await page.reload();
		await part("error").filter({ hasText: "The server does not respond." }).waitFor();
		await expectAccessible();
		await page.unroute("**/tenant/methods");
		await part("retry").click();
		await part("form").waitFor();
	});

	it("include a link by email", async () => {
		const { page, method, submit, part, userId, expectAccessible } = await visit();
		await method("email-link").click();
		await expectAccessible();
		await submit("email-link", { email: BY_MAIL });
		await part("notice")
			.filter({ hasText: `If ${BY_MAIL} can sign in here` })
			.waitFor();
		await expectAccessible();
		await page.goto(stage.last("magic"));
		await page.goto(`${stage.origin}/sign-in?tenant=${stage.acme}`);
		expect(await userId()).not.toBe("");
	});

	it("include a code by email", async () => {
		const { method, submit, part, userId, expectAccessible, page } = await visit();
		await page.getByLabel("Email or username").fill(BY_MAIL);
		await method("email-code").click();
		expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe(BY_MAIL);
		await submit("email-code", {});
		await submit("email-code-verify", { code: "000000" });
		await part("field-error").filter({ hasText: "This code is wrong or no longer valid." }).waitFor();
		await expectAccessible();
		await submit("email-code-verify", { code: stage.last("otp") });
		expect(await userId()).not.toBe("");
	});

	it("include social providers, which get the page as the place to return to", async () => {
		const { page, method } = await visit({ returnTo: "/home" });
		await page.route("https://github.com/**", (route) => route.fulfill({ body: "GitHub" }));
		const asked = page.waitForRequest("**/sign-in/social");
		await method("social:github").click();
		const sent = await asked;
		expect(sent.postDataJSON()).toEqual({
			provider: "github",
			callbackURL: `${stage.origin}/home`,
			errorCallbackURL: `${stage.origin}/sign-in`,
		});
		expect(sent.headers()["x-tenant-id"]).toBe(stage.acme);
		await page.waitForURL("https://github.com/**");
	});

	it("show why a redirect failed, and forget it", async () => {
		const { page, part, expectAccessible } = await visit({ error: "access_denied" });
		await part("error").filter({ hasText: "You did not finish." }).waitFor();
		expect(new URL(page.url()).searchParams.has("error")).toBe(false);
		await expectAccessible();
	});

	it("include a passkey", async () => {
		const { page, context, method, signIn, userId, part, who } = await visit();
		const device = await context.newCDPSession(page);
		await device.send("WebAuthn.enable");
		await device.send("WebAuthn.addVirtualAuthenticator", {
			options: {
				protocol: "ctap2",
				transport: "internal",
				hasResidentKey: true,
				hasUserVerification: true,
				isUserVerified: true,
			},
		});
		await signIn(EMAIL, PASSWORD);
		const before = await userId();
		const added = await page.evaluate(async () => {
			const asked = await (await fetch("/api/auth/passkey/generate-register-options")).json();
			const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
			const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
			const headers = { "content-type": "application/json" };
			const body = JSON.stringify({ response: made.toJSON() });
			return (await fetch("/api/auth/passkey/verify-registration", { method: "POST", headers, body })).status;
		});
		expect(added).toBe(200);
		await part("user-trigger").click();
		await part("menu-item").filter({ hasText: "Sign out" }).click();
		await who.filter({ hasText: "nobody" }).waitFor();
		await method("passkey").click();
		expect(await userId()).toBe(before);
	});
});

describe("rendering on the server", () => {
	it("gives the same form, and the browser continues with it", async () => {
		const { page, signIn, userId } = await visit({}, "/ssr/sign-in");
		const html = await (await page.request.get(page.url())).text();
		expect(html).toContain('data-form="password"');
		await signIn(EMAIL, PASSWORD);
		expect(await userId()).not.toBe("");
	});
});
