import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { startLocalChromium } from "test-kit/chromium/start";

const NOBODY = "umbrella.localhost";
/** What the 404 pages of the frameworks say, and ours. */
const NOT_FOUND = /not found|could not be found/i;
/** The longest window of Better Auth's rate limits for sign-ins and sign-ups. */
const WINDOW = 10_000;

/**
 * Follows the last paragraph of a page with forms: signs up the same new email on both hosts, reads both pages, and tries the
 * password of one tenant in the other. Returns what was seen.
 */
export const byBrowser = async (port: number, email: string): Promise<string> => {
	const browser = await startLocalChromium();
	try {
		const page = await browser.newPage();
		const shown: string[] = [];
		for (const tenant of ["acme", "globex"]) {
			await submit(
				page,
				`http://${tenant}.localhost:${port}/`,
				{ email, password: `the ${tenant} password` },
				"Sign up",
			);
			shown.push((await page.getByText(email).textContent()) ?? "");
		}
		assert.match(shown[0] ?? "", /at acme\S*, user \w+/i);
		assert.match(shown[1] ?? "", /at globex\S*, user \w+/i);
		const users = shown.map((text) => /user (\w+)/.exec(text)?.[1]);
		assert.notEqual(users[0], users[1], "Both tenants show the same user.");
		await page.context().clearCookies();
		await submit(page, `http://acme.localhost:${port}/`, { email, password: "the globex password" }, "Sign in");
		await page.getByText("Invalid email or password").waitFor();
		for (const path of ["/sign-in", "/"]) {
			const response = await page.goto(`http://${NOBODY}:${port}${path}`, { waitUntil: "networkidle" });
			assert.equal(response?.status(), 404, `${NOBODY}${path}`);
			await page.getByText(NOT_FOUND).first().waitFor();
			assert.equal(await page.getByPlaceholder("Email").count(), 0);
		}
		return "in Chromium: both pages show their own user, one tenant's password is refused in the other, and a host of no tenant shows a 404 page";
	} finally {
		await browser.close();
	}
};

type Credentials = { email: string; password: string };

/** Fills the form and sends it, again if the server says that there were too many. */
const submit = async (page: Page, url: string, { email, password }: Credentials, button: string): Promise<void> => {
	await page.goto(url, { waitUntil: "networkidle" });
	await page.getByPlaceholder("Email").fill(email);
	await page.getByPlaceholder("Password").fill(password);
	for (;;) {
		const sent = page.waitForResponse((response) => response.request().method() === "POST");
		await page.getByRole("button", { name: button }).click();
		if ((await sent).status() !== 429) return;
		await page.waitForTimeout(WINDOW);
	}
};
