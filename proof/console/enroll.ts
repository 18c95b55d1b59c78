import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import type { Page } from "playwright-core";

/** The code that an authenticator app shows now for the key of a set-up. */
export const codeFor = (key: string): Promise<string> => createOTP(new TextDecoder().decode(base32.decode(key))).totp();

/** Sets up an authenticator app in the form of the console. Returns the backup codes, which are still shown. */
export const enroll = async (page: Page, password: string, look?: () => Promise<void>): Promise<string[]> => {
	await page.getByLabel("Your password").fill(password);
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByRole("img", { name: /QR code/ }).waitFor();
	await look?.();
	const key = (await page.locator("code").first().textContent()) ?? "";
	await page.getByLabel("Code", { exact: true }).fill(await codeFor(key));
	await page.getByRole("button", { name: "Verify" }).click();
	const codes = page.getByRole("list", { name: "Backup codes" });
	await codes.waitFor();
	return codes.getByRole("listitem").allTextContents();
};
