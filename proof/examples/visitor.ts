import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { BrowserContext, Locator, Page } from "playwright-core";

export type Account = { name: string; email: string; password: string };
export type ListedUser = { email: string; id: string };

const TOO_MANY = /too many/i;

/** A user in one tab, at the pages that all examples have. */
export const openVisitor = async (context: BrowserContext, origin: string, tenant: string) => {
	const page = await context.newPage();
	const heading = (action: string) => page.getByRole("heading", { level: 1, name: `${action} to ${tenant}` });

	/** Fills the form on a page and sends it. Returns the error that the page shows, or null if it signed in. */
	const send = async (action: "Sign up" | "Sign in", fields: Record<string, string>): Promise<string | null> => {
		for (;;) {
			await page.goto(`${origin}/${action === "Sign up" ? "sign-up" : "sign-in"}`);
			await heading(action).waitFor();
			for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
			await page.getByRole("button", { name: action, exact: true }).click();
			const alert = page.getByRole("alert").filter({ hasText: /\S/ });
			const signOut = page.getByRole("button", { name: "Sign out" });
			await alert.or(signOut).first().waitFor();
			if (await signOut.isVisible()) return null;
			const message = await textOf(alert.first());
			// Better Auth's rate limit in production: three sign-ins in ten seconds
			if (!TOO_MANY.test(message)) return message;
			await wait(2000);
		}
	};

	return {
		page,
		signUp: ({ name, email, password }: Account) => send("Sign up", { Name: name, Email: email, Password: password }),
		signIn: (email: string, password: string) => send("Sign in", { Email: email, Password: password }),
		signOut: async (): Promise<void> => {
			await page.getByRole("button", { name: "Sign out" }).click();
			await heading("Sign in").waitFor();
		},
		/** Opens the tenant's first page, and waits until it shows that nobody is signed in. */
		seesSignIn: async (): Promise<void> => {
			await page.goto(origin);
			await heading("Sign in").waitFor();
		},
		/** Opens the tenant's first page, and checks who is signed in and where. Returns the users that it lists. */
		users: async (email: string): Promise<ListedUser[]> => {
			await page.goto(origin);
			await page.getByText(`You are signed in to ${tenant} as ${email}.`).waitFor();
			assert.equal(await textOf(page.locator(".tenant")), tenant);
			const list = page.getByRole("region", { name: `Users of ${tenant}` });
			await list.getByRole("listitem").first().waitFor();
			return listed(list);
		},
		sessionCookie: async (): Promise<string> => {
			const cookies = await context.cookies(origin);
			return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
		},
	};
};

/** Takes pictures of a page, to look at. Does nothing without a folder. */
export const photograph = async (page: Page, folder: string | null, name: string): Promise<void> => {
	if (!folder) return;
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme });
		await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
	}
};

/** The users in a list: their emails and ids. */
export const listed = async (list: Locator): Promise<ListedUser[]> =>
	Promise.all(
		(await list.getByRole("listitem").all()).map(async (item) => ({
			email: await textOf(item.locator("strong")),
			id: await textOf(item.locator("code")),
		})),
	);

const textOf = async (element: Locator): Promise<string> => ((await element.textContent()) ?? "").trim();
