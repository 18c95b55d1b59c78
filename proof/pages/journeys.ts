// cspell:ignore Bestätigen zurück
import type { Browser } from "playwright-core";
import { createVisitor, openContext, PASSWORD } from "./visitor.ts";
import { SHOP, type World } from "./world.ts";

/** Journeys that only a browser can prove. Returns their names. */
export const checkJourneys = async (world: World, browser: Browser, wrong: string[]): Promise<string[]> => {
	for (const [name, journey] of Object.entries(JOURNEYS)) {
		const problems: string[] = [];
		await journey(world, browser, problems).catch((error: unknown) => problems.push(String(error)));
		wrong.push(...problems.map((problem) => `${name}: ${problem}`));
	}
	return Object.keys(JOURNEYS);
};

const EMAIL = "grace@example.com";

const JOURNEYS: Record<string, (world: World, browser: Browser, wrong: string[]) => Promise<void>> = {
	/** Signs up, verifies and signs in with scripts off, and goes back to the application. */
	"without JavaScript": async (world, browser, wrong) => {
		for (const tenant of [world.acme, world.globex]) {
			const context = await openContext(browser, tenant, { javaScriptEnabled: false }, wrong);
			const page = await context.newPage();
			const visitor = createVisitor(page, context, tenant, world);
			const query = `?returnTo=${encodeURIComponent(`${SHOP}/cart`)}`;
			await visitor.open(`/sign-up${query}`);
			await visitor.fill({ name: "Grace", email: EMAIL, password: PASSWORD });
			await visitor.send();
			await visitor.open(await visitor.mailedLink(EMAIL, new RegExp(`(Confirm|Bestätigen).*${tenant.name}`)));
			await page.click("a.button.primary");
			await page.waitForURL(`${SHOP}/cart`);
			await visitor.signOut();
			await visitor.open(`/sign-in${query}`);
			await visitor.fill({ email: EMAIL, password: PASSWORD });
			// a policy that stops the form's way to the application would stop it here
			await Promise.all([page.waitForURL(`${SHOP}/cart`), page.click("form .button.primary")]);
			await context.close();
		}
	},
	/** Signs in with the keyboard alone: the focus begins in the first field, and is always visible. */
	"with the keyboard": async (world, browser, wrong) => {
		const context = await openContext(browser, world.globex, {}, wrong);
		const page = await context.newPage();
		await page.goto(`${world.globex.origin}/sign-in`);
		// autofocus waits for a frame
		await page.waitForFunction(() => document.activeElement?.id === "email");
		await page.keyboard.type(EMAIL);
		const reached: string[] = [];
		for (let at = 0; at < 14; at += 1) {
			const focused = await page.evaluate(() => {
				const element = document.activeElement as HTMLElement;
				const { outlineStyle } = getComputedStyle(element);
				return { tag: `${element.tagName} ${element.getAttribute("name") ?? element.textContent}`, outlineStyle };
			});
			reached.push(focused.tag);
			// after the last element, the browser itself has the focus
			if (focused.outlineStyle === "none" && !focused.tag.startsWith("BODY"))
				wrong.push(`the focus on ${focused.tag} is not visible`);
			await page.keyboard.press("Tab");
		}
		for (const needed of ["INPUT email", "INPUT password", "INPUT remember", "A Forgot", "BUTTON Sign in", "A Create"])
			if (!reached.some((tag) => tag.startsWith(needed))) wrong.push(`${needed} is not reached: ${reached.join(", ")}`);
		await page.focus("#password");
		await page.keyboard.type(PASSWORD);
		await Promise.all([page.waitForURL("**/signed-in"), page.keyboard.press("Enter")]);
		await context.close();
	},
	/** Creates a passkey and signs in with it, in each tenant. */
	"with a passkey": async (world, browser, wrong) => {
		for (const tenant of [world.acme, world.globex]) {
			const context = await openContext(browser, tenant, {}, wrong);
			const page = await context.newPage();
			const visitor = createVisitor(page, context, tenant, world);
			const devtools = await context.newCDPSession(page);
			await devtools.send("WebAuthn.enable");
			await devtools.send("WebAuthn.addVirtualAuthenticator", {
				options: {
					protocol: "ctap2",
					transport: "internal",
					hasResidentKey: true,
					hasUserVerification: true,
					isUserVerified: true,
				},
			});
			await visitor.signIn(EMAIL);
			await page.click("button[data-add-passkey]");
			await page.waitForSelector(".notice.info");
			await visitor.signOut();
			await visitor.open("/passkey");
			await Promise.all([page.waitForURL("**/signed-in"), page.click("button[data-passkey]")]);
			await context.close();
		}
	},
	/** A form on another site signs nobody in. */
	"a form of another site": async (world, browser, wrong) => {
		const context = await openContext(browser, world.globex, {}, wrong);
		const page = await context.newPage();
		await page.goto(`${SHOP}/`);
		await page.evaluate(
			([action, email, password]) => {
				const form = document.createElement("form");
				form.method = "post";
				form.action = action;
				for (const [name, value] of Object.entries({ email, password })) {
					const input = document.createElement("input");
					[input.name, input.value] = [name, value];
					form.append(input);
				}
				document.body.append(form);
			},
			[`${world.globex.origin}/sign-in`, EMAIL, PASSWORD] as const,
		);
		const [response] = await Promise.all([
			page.waitForResponse((one) => one.url().startsWith(world.globex.origin)),
			page.evaluate(() => document.forms[0]?.submit()),
		]);
		const cookies = (await context.cookies()).map(({ name }) => name);
		if (response.status() !== 403 || cookies.length > 0) wrong.push(`${response.status()} ${cookies.join(", ")}`);
		await context.close();
	},
};
