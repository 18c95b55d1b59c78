import type { Route } from "playwright-core";
import { PASSWORD } from "test-kit/world";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStage, type Stage, type Visitor } from "./support/stage.tsx";

const EMAIL = "ada@example.com";
const OTHER_PASSWORD = "another horse battery";

let stage: Stage;
let visitor: Visitor;
beforeAll(async () => {
	stage = await openStage();
	await stage.signUp(stage.acme, EMAIL);
	await stage.signUp(stage.globex, EMAIL, OTHER_PASSWORD);
});
afterAll(() => stage.close());
afterEach(async () => {
	const { wrong } = visitor;
	await visitor.close();
	expect(wrong).toEqual([]);
});

const visit = async (query: Record<string, string> = {}): Promise<Visitor> => {
	visitor = await stage.open("/sign-in", { tenant: stage.acme, ...query });
	return visitor;
};

/** Holds the first responses of a path back until they are released. What follows passes. */
const holdBack = async ({ page }: Visitor, path: string) => {
	const held: Route[] = [];
	let isOpen = false;
	let arrived = (): void => {};
	const first = new Promise<void>((resolve) => {
		arrived = resolve;
	});
	await page.route(`**${path}`, (route) => {
		if (isOpen) return route.continue();
		held.push(route);
		return arrived();
	});
	return {
		first,
		/** lets later requests pass */
		open: (): void => {
			isOpen = true;
		},
		/** sends what was held back. The page may have given it up */
		release: async (): Promise<void> => {
			for (const route of held) await route.continue().catch(() => {});
			await visitor.settle();
		},
	};
};

// threat 136
describe("after a switch to another tenant", () => {
	it("methods of the previous tenant that arrive late are not shown", async () => {
		const { page, part, method, switchTo } = await visit();
		// the requests of the first page are over
		await part("form").waitFor();
		const slow = await holdBack(visitor, "/tenant/methods");
		await page.reload({ waitUntil: "commit" });
		await slow.first;
		slow.open();
		await switchTo(stage.globex);
		await part("form").waitFor();
		await slow.release();
		expect(await method("social:github").count()).toBe(0);
		expect(await part("method").count()).toBe(0);
	});

	it("methods that the server rendered for the previous tenant are not shown", async () => {
		visitor = await stage.open("/ssr/sign-in", { tenant: stage.acme });
		await visitor.method("passkey").waitFor();
		await visitor.switchTo(stage.globex);
		await visitor.part("form").waitFor();
		expect(await visitor.part("method").count()).toBe(0);
	});

	it("the session of the previous tenant is not shown", async () => {
		const { page, part, signIn, userId, switchTo } = await visit();
		await signIn(EMAIL, PASSWORD);
		await userId();
		// everything that the page shows from now on
		await page.evaluate(() => {
			window.called = [];
			const note = () => window.called.push(document.body.textContent ?? "");
			new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
		});
		await switchTo(stage.globex);
		await part("form").waitFor();
		await visitor.settle();
		expect((await visitor.called()).filter((text) => text.includes(EMAIL))).toEqual([]);
		expect(await part("user-trigger").count()).toBe(0);
		await switchTo(stage.acme);
		await part("user-trigger").waitFor();
	});

	it("a session of the previous tenant that arrives late is not shown", async () => {
		const { page, part, signIn, userId, switchTo, who } = await visit();
		await signIn(EMAIL, PASSWORD);
		await userId();
		const slow = await holdBack(visitor, "/get-session");
		await page.reload({ waitUntil: "commit" });
		await slow.first;
		await switchTo(stage.globex);
		await part("form").waitFor();
		slow.open();
		await slow.release();
		await who.filter({ hasText: "nobody" }).waitFor();
		expect(await part("user-trigger").count()).toBe(0);
	});

	it("a sign-in to the previous tenant that ends late goes nowhere", async () => {
		const { part, signIn, switchTo } = await visit({ calls: "yes" });
		await part("form").waitFor();
		const slow = await holdBack(visitor, "/sign-in/email");
		await signIn(EMAIL, PASSWORD);
		await slow.first;
		slow.open();
		await switchTo(stage.globex);
		await part("form").waitFor();
		await slow.release();
		expect(await visitor.called()).toEqual([]);
		expect(await part("user-trigger").count()).toBe(0);
	});

	it("a pending second factor of the previous tenant is gone, and what was typed", async () => {
		const { page, part, signIn, switchTo } = await visit();
		await stage.setPolicy(stage.acme, { secondFactor: "required" });
		await signIn(EMAIL, PASSWORD);
		await part("notice").filter({ hasText: "A second factor is required here." }).waitFor();
		await switchTo(stage.globex);
		await part("form").waitFor();
		expect(await part("notice").count()).toBe(0);
		expect(await page.locator("input[name=email]").inputValue()).toBe("");
		await stage.setPolicy(stage.acme, { secondFactor: "optional" });
	});

	it("a second factor that the address asked for is gone", async () => {
		const { part, switchTo } = await visit({ second_factor: "verify" });
		await part("second-factor").waitFor();
		await switchTo(stage.globex);
		await part("form").waitFor();
		expect(await part("second-factor").count()).toBe(0);
	});
});

// threat 137
describe("an address to return to", () => {
	it("is followed at the page's own origin", async () => {
		const { page, signIn } = await visit({ returnTo: "/home?tab=1" });
		await signIn(EMAIL, PASSWORD);
		await page.waitForURL(`${stage.origin}/home?tab=1`);
	});

	it.each(["https://evil.example.com/", "//evil.example.com", "/\\evil.example.com", "javascript:alert(1)"])(
		"is not followed elsewhere: %s",
		async (returnTo) => {
			const { page, signIn, userId, wrong } = await visit({ returnTo });
			const left: string[] = [];
			page.on("request", (request) => {
				if (request.isNavigationRequest()) left.push(request.url());
			});
			await signIn(EMAIL, PASSWORD);
			await userId();
			await visitor.settle();
			expect([left, wrong, new URL(page.url()).pathname]).toEqual([[], [], "/sign-in"]);
		},
	);

	it("is not sent to social providers or in mails if it leads elsewhere", async () => {
		const { page, method } = await visit({ returnTo: "https://evil.example.com/" });
		await page.route("https://github.com/**", (route) => route.fulfill({ body: "GitHub" }));
		const asked = page.waitForRequest("**/sign-in/social");
		await method("social:github").click();
		expect((await asked).postDataJSON().callbackURL).toBe(`${stage.origin}/sign-in`);
	});
});
