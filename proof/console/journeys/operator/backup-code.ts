import type { Page } from "playwright-core";
import { enroll } from "../../enroll.ts";
import type { Walk } from "../../journey.ts";
import { OPERATOR, sendPassword, signInAtPlatform } from "../../sign-in.ts";

const signOut = async (page: Page): Promise<void> => {
	await page.getByRole("button", { name: OPERATOR }).click();
	await page.getByRole("menuitem", { name: "Sign out" }).click();
	await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
};

/** An operator with an authenticator app signs in with a backup code, which works once. */
export const useBackupCode = async ({ world, look, wrong }: Walk, page: Page, password: string): Promise<void> => {
	await signInAtPlatform(page, world, password);
	await page.goto(`${world.platform}/console/account`);
	await page.getByRole("button", { name: "Set up" }).click();
	const [first = "", second = ""] = await enroll(page, password);
	await page.getByRole("button", { name: "I have kept them" }).click();
	await page.getByRole("button", { name: "Turn off" }).waitFor();
	await signOut(page);

	const askForCode = async (): Promise<void> => {
		await sendPassword(page, world, password);
		await page.getByRole("heading", { name: "Enter your code" }).waitFor();
	};
	const enter = async (code: string): Promise<void> => {
		await page.getByLabel("Backup code").fill(code);
		await page.getByRole("button", { name: "Continue" }).click();
	};
	await askForCode();
	await look(page, "sign-in code");
	await page.goto(`${world.platform}/console/tenants`);
	await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
	await askForCode();
	await page.getByRole("button", { name: "Use a backup code" }).click();
	await enter("not-a-code");
	await page.getByRole("alert").waitFor();
	await look(page, "sign-in backup code");
	await enter(first);
	await page.getByRole("heading", { name: "Overview" }).waitFor();
	await signOut(page);

	await askForCode();
	await page.getByRole("button", { name: "Use a backup code" }).click();
	await enter(first);
	await page.getByRole("alert").waitFor();
	if (await page.getByRole("heading", { name: "Overview" }).count()) wrong("a backup code works twice");
	await enter(second);
	await page.getByRole("heading", { name: "Overview" }).waitFor();
};
