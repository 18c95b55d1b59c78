import type { Page } from "playwright-core";

/** Opens a page of the tenant by the navigation, and waits for its heading. */
export const goTo = async (page: Page, title: string): Promise<void> => {
	await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: title, exact: true }).click();
	await page.getByRole("heading", { level: 1, name: title }).waitFor();
};

/** Chooses something in the menu of a user in the list. */
export const chooseFor = async (page: Page, user: string, action: string): Promise<void> => {
	await page.getByRole("button", { name: `Actions for ${user}` }).click();
	await page.getByRole("menuitem", { name: action }).click();
	await page.getByRole("dialog").waitFor();
};

/** Waits for the message that says that something was done. */
export const hear = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
