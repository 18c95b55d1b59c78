import assert from "node:assert/strict";
import { chromium, type Page } from "playwright-core";

const EMAIL = "ada@example.com";

/**
 * Follows the last paragraph of a page with forms: signs up the same email on both hosts, reads both pages, and tries the
 * password of one tenant in the other. Returns what was seen.
 */
export const byBrowser = async (port: number): Promise<string> => {
	const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
	try {
		const page = await browser.newPage();
		const shown: string[] = [];
		for (const tenant of ["acme", "globex"]) {
			await submit(page, `http://${tenant}.localhost:${port}/`, `the ${tenant} password`, "Sign up");
			shown.push((await page.getByText(EMAIL).textContent()) ?? "");
		}
		assert.match(shown[0] ?? "", /at acme\S*, user \w+/i);
		assert.match(shown[1] ?? "", /at globex\S*, user \w+/i);
		const users = shown.map((text) => /user (\w+)/.exec(text)?.[1]);
		assert.notEqual(users[0], users[1], "Both tenants show the same user.");
		await page.context().clearCookies();
		await submit(page, `http://acme.localhost:${port}/`, "the globex password", "Sign in");
		await page.getByText("Invalid email or password").waitFor();
		return "in Chromium: both pages show their own user, and one tenant's password is refused in the other";
	} finally {
		await browser.close();
	}
};

const submit = async (page: Page, url: string, password: string, button: string): Promise<void> => {
	await page.goto(url, { waitUntil: "networkidle" });
	await page.getByPlaceholder("Email").fill(EMAIL);
	await page.getByPlaceholder("Password").fill(password);
	await page.getByRole("button", { name: button }).click();
};
