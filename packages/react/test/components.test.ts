import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { PASSWORD } from "test-kit/world";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStage, type Stage, type Visitor } from "./support/stage.tsx";

const EMAIL = "ada@example.com";
const NEW_PASSWORD = "a new horse battery";

let stage: Stage;
let visitor: Visitor;
beforeAll(async () => {
	stage = await openStage();
	await stage.signUp(stage.acme, EMAIL);
	await stage.signUp(stage.globex, EMAIL);
});
afterAll(() => stage.close());
afterEach(async () => {
	const { wrong } = visitor;
	await visitor.close();
	expect(wrong).toEqual([]);
});

const visit = async (path: string, query: Record<string, string> = {}): Promise<Visitor> => {
	visitor = await stage.open(path, { tenant: stage.acme, ...query });
	return visitor;
};

describe("a second factor", () => {
	const FACTOR = "factor@example.com";
	let backupCodes: string[] = [];
	let totp = async (): Promise<string> => "";
	beforeAll(async () => {
		const browser = await stage.signUp(stage.acme, FACTOR);
		const { json } = await stage.call("/two-factor/enable", { browser, body: { password: PASSWORD } });
		const secret = base32.decode(new URL(json.totpURI).searchParams.get("secret") ?? "");
		totp = () => createOTP(new TextDecoder().decode(secret)).totp();
		backupCodes = json.backupCodes;
		const { status } = await stage.call("/two-factor/verify-totp", { browser, body: { code: await totp() } });
		expect(status).toBe(200);
	});

	it("is asked for after the password, and takes a code of the app", async () => {
		const { signIn, submit, part, userId, expectAccessible } = await visit("/sign-in");
		await signIn(FACTOR, PASSWORD);
		await submit("totp", { code: "000000" });
		await part("field-error").filter({ hasText: "This code is wrong or no longer valid." }).waitFor();
		await expectAccessible();
		await submit("totp", { code: await totp() });
		expect(await userId()).not.toBe("");
	});

	it("takes a code by email", async () => {
		const { signIn, submit, method, userId, expectAccessible } = await visit("/sign-in");
		await signIn(FACTOR, PASSWORD);
		await method("otp").click();
		await expectAccessible();
		await submit("send-otp", {});
		await visitor.page.locator('[data-form="otp"]').waitFor();
		await submit("otp", { code: stage.last("factor") });
		expect(await userId()).not.toBe("");
	});

	it("takes a backup code, and is skipped on a trusted device then", async () => {
		const { page, signIn, submit, method, userId, part, expectAccessible } = await visit("/sign-in");
		await signIn(FACTOR, PASSWORD);
		await method("backup").click();
		await expectAccessible();
		await page.getByLabel("Trust this device").check();
		await submit("backup", { code: backupCodes[0] ?? "" });
		await userId();
		await part("user-trigger").click();
		await part("menu-item").filter({ hasText: "Sign out" }).click();
		await visitor.who.filter({ hasText: "nobody" }).waitFor();
		await page.reload();
		await signIn(FACTOR, PASSWORD);
		expect(await userId()).not.toBe("");
	});

	it("can be left", async () => {
		const { signIn, part, page } = await visit("/sign-in");
		await signIn(FACTOR, PASSWORD);
		await part("back").click();
		expect(await page.getByLabel("Email or username").inputValue()).toBe(FACTOR);
	});

	it("is left to the application if the user has to set one up", async () => {
		await stage.signUp(stage.globex, "lacking@example.com");
		await stage.setPolicy(stage.globex, { methods: ["password"], secondFactor: "required" });
		const { signIn, part, called, expectAccessible } = await visit("/sign-in", { tenant: stage.globex });
		await signIn("lacking@example.com", PASSWORD);
		await part("notice").filter({ hasText: "Set one up to continue." }).waitFor();
		expect(await called()).toEqual(["enroll"]);
		await expectAccessible();
		await stage.setPolicy(stage.globex, { methods: ["password"], secondFactor: "optional" });
	});
});

describe("useTenantSession", () => {
	it("keeps the form while Better Auth loads the session again", async () => {
		const { page, signIn, part } = await visit("/guarded");
		await page.getByLabel("Email or username").fill(EMAIL);
		const asked = page.waitForRequest("**/get-session");
		await page.route("**/get-session", () => {}, { times: 1 });
		await page.getByRole("button", { name: "Load the session again" }).click();
		await asked;
		await visitor.settle();
		expect(await page.getByLabel("Email or username").inputValue()).toBe(EMAIL);
		await signIn(EMAIL, PASSWORD);
		await part("user-trigger").waitFor();
	});
});

describe("SignUp", () => {
	it("creates a user in its tenant only", async () => {
		const { submit, part, userId, expectAccessible } = await visit("/sign-up");
		const grace = { name: "Grace", email: "grace@example.com" };
		await submit("sign-up", { ...grace, password: "short" });
		await part("field-error").filter({ hasText: "This password is too short." }).waitFor();
		await expectAccessible();
		await submit("sign-up", { ...grace, password: PASSWORD });
		const id = await userId();
		const found = await stage.database.query(`select "id", "tenantId" from "user" where "email" = '${grace.email}'`);
		expect(found).toEqual([{ id, tenantId: stage.acme }]);
	});

	it("says that a second factor has to be set up, where the tenant requires one", async () => {
		await stage.setPolicy(stage.acme, { secondFactor: "required" });
		const { submit, part } = await visit("/sign-up");
		await submit("sign-up", { name: "Lacking", email: "new@example.com", password: PASSWORD });
		await part("notice").filter({ hasText: "Set one up to continue." }).waitFor();
		await stage.setPolicy(stage.acme, { secondFactor: "optional" });
	});

	it("says where it is closed", async () => {
		await stage.setPolicy(stage.globex, { methods: ["password"], signUp: "closed" });
		const { part, expectAccessible } = await visit("/sign-up", { tenant: stage.globex });
		await part("empty").filter({ hasText: "Ask for an invitation." }).waitFor();
		await expectAccessible();
		await stage.setPolicy(stage.globex, { methods: ["password"], signUp: "open" });
	});
});

describe("ForgotPassword and ResetPassword", () => {
	it("change the password in one tenant", async () => {
		const { page, submit, part, userId, expectAccessible } = await visit("/forgot-password");
		await expectAccessible();
		await submit("forgot-password", { email: EMAIL });
		await part("notice")
			.filter({ hasText: `If there is an account for ${EMAIL}` })
			.waitFor();
		await expectAccessible();
		const token = stage.last("reset");
		await page.goto(`${stage.origin}/reset-password?tenant=${stage.globex}&token=${token}`);
		await submit("reset-password", { password: NEW_PASSWORD });
		// the neighbor's page refuses it, and leaves it alone
		await part("error").filter({ hasText: /\S/ }).waitFor();
		await page.goto(`${stage.origin}/reset-password?tenant=${stage.acme}&token=${token}`);
		await expectAccessible();
		await submit("reset-password", { password: NEW_PASSWORD });
		await part("notice").filter({ hasText: "Your password is changed." }).waitFor();
		await page.goto(`${stage.origin}/sign-in?tenant=${stage.acme}`);
		await visitor.signIn(EMAIL, NEW_PASSWORD);
		expect(await userId()).not.toBe("");
	});
});

describe("AcceptInvitation", () => {
	const invite = async (email: string, role = "member"): Promise<string> => {
		const body = { tenantId: stage.acme, email, role };
		expect((await stage.call("/tenant/invitation/create", { operator: true, body })).status).toBe(200);
		return stage.last("invitation");
	};

	it("creates the invited user", async () => {
		const token = await invite("invited@example.com");
		const { submit, part, who, expectAccessible } = await visit("/invitation", { token });
		await part("intro").filter({ hasText: "You are invited to Tenant acme as invited@example.com." }).waitFor();
		await expectAccessible();
		await submit("accept-invitation", { name: "Invited", password: PASSWORD });
		await who.filter({ hasText: "invited@example.com" }).waitFor();
		await part("notice").filter({ hasText: "You accepted the invitation." }).waitFor();
		await expectAccessible();
	});

	it("asks a user whose role rises for the password", async () => {
		const email = "rising@example.com";
		const { page, submit, part, who, expectAccessible } = await visit("/invitation", { token: await invite(email) });
		await submit("accept-invitation", { name: "Rising", password: PASSWORD });
		await who.filter({ hasText: email }).waitFor();
		await page.goto(`${stage.origin}/invitation?tenant=${stage.acme}&token=${await invite(email, "admin")}`);
		await submit("accept-invitation", {});
		await part("error").filter({ hasText: "Enter your password to accept the invitation." }).waitFor();
		await expectAccessible();
		await submit("accept-invitation", { password: "another password" });
		await part("field-error").filter({ hasText: "Enter your password to accept the invitation." }).waitFor();
		await submit("accept-invitation", { password: PASSWORD });
		await part("notice").filter({ hasText: "You accepted the invitation." }).waitFor();
	});

	it("shows an invitation of another tenant like one that does not exist", async () => {
		const token = await invite("stranger@example.com");
		const texts = [];
		for (const given of [token, "unknown"]) {
			const { part, close } = await visit("/invitation", { tenant: stage.globex, token: given });
			await part("error").filter({ hasText: /\S/ }).last().waitFor();
			texts.push(await part("accept-invitation").textContent());
			await close();
		}
		expect(texts[0]).toBe(texts[1]);
		expect(texts[0]).not.toContain("acme");
	});
});

describe("UserButton", () => {
	const open = async (): Promise<Visitor> => {
		const opened = await visit("/sign-in");
		await stage
			.signUp(stage.acme, `menu-${opened.page.url().length}-${Date.now()}@example.com`)
			.then((browser) =>
				opened.context.addCookies(
					[...browser.cookies].map(([name, value]) => ({ name, value, url: stage.origin, httpOnly: true })),
				),
			);
		await opened.page.reload();
		await opened.part("user-trigger").waitFor();
		return opened;
	};
	const focused = ({ page }: Visitor) => page.evaluate(() => document.activeElement?.textContent);

	it("opens and closes with the keyboard, like a menu button", async () => {
		const { page, part, expectAccessible } = await open();
		await part("user-trigger").focus();
		await page.keyboard.press("ArrowUp");
		await part("menu").waitFor();
		expect(await focused(visitor)).toBe("Sign out");
		await expectAccessible();
		await page.keyboard.press("ArrowDown");
		expect(await focused(visitor)).toBe("Account");
		await page.keyboard.press("s");
		expect(await focused(visitor)).toBe("Sign out");
		await page.keyboard.press("Home");
		expect(await focused(visitor)).toBe("Account");
		await page.keyboard.press("Escape");
		expect(await part("menu").count()).toBe(0);
		expect(await focused(visitor)).toBe("Ada");
		await page.keyboard.press("Enter");
		expect(await focused(visitor)).toBe("Account");
		await page.keyboard.press("Tab");
		expect(await part("menu").count()).toBe(0);
	});

	it("closes with a click elsewhere, and signs out", async () => {
		const { page, part, who, called } = await open();
		await part("user-trigger").click();
		await part("user-email").click();
		expect(await part("menu").count()).toBe(1);
		await page.locator("h1").click();
		expect(await part("menu").count()).toBe(0);
		await part("user-trigger").click();
		await part("menu-item").filter({ hasText: "Sign out" }).click();
		await who.filter({ hasText: "nobody" }).waitFor();
		expect(await called()).toEqual(["signed out"]);
	});
});

describe("TenantSwitcher", () => {
	it("marks the current tenant, links to addresses and switches to the others", async () => {
		const { page, part, expectAccessible } = await visit("/home", { known: stage.globex });
		await part("tenant-switcher").waitFor();
		await expectAccessible();
		expect(await page.getByRole("link", { name: "Linked" }).getAttribute("href")).toBe("https://linked.example.com");
		const button = page.getByRole("button", { name: `Tenant ${stage.globex}` });
		expect(await button.getAttribute("aria-current")).toBe("false");
		await button.click();
		await page.locator('[data-part="tenant-button"][aria-current="true"]').waitFor();
	});

	it("does not link to scripts", async () => {
		const { page, part } = await visit("/home");
		await part("tenant-name").filter({ hasText: "Script" }).waitFor();
		expect(await page.getByRole("link", { name: "Script" }).count()).toBe(0);
	});
});
