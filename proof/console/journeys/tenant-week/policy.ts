// cspell:ignore Konto erstellen
import type { Page } from "playwright-core";
import type { Walk } from "../../journey.ts";
import { goTo, hear } from "./console-page.ts";

/** Changes rules, is warned before a lockout, and sees the sign-in page change. */
export const changePolicy = async ({ world, open, look, wrong }: Walk, page: Page): Promise<void> => {
	const { acme } = world;
	await goTo(page, "Policy");
	await page.getByRole("button", { name: "Change Shortest password" }).waitFor();
	await look(page, "tenant policy");
	const dialog = page.getByRole("dialog");
	await page.getByRole("button", { name: "Change Shortest password" }).click();
	await dialog.getByLabel(/^Value/).fill("14");
	await look(page, "tenant policy rule");
	await dialog.getByRole("button", { name: "Set rule" }).click();
	await hear(page, "14 characters");

	await page.getByRole("button", { name: "Change Allowed methods" }).click();
	await dialog.getByRole("radio", { name: "Only these" }).check();
	await dialog.getByRole("checkbox", { name: "Passkey" }).check();
	await dialog.getByRole("button", { name: "Set rule" }).click();
	await dialog.getByText("With this rule you could not sign in again").waitFor();
	await look(page, "tenant policy lockout");
	await dialog.getByRole("checkbox", { name: "Email and password" }).check();
	await dialog.getByRole("button", { name: "Set rule" }).click();
	await dialog.waitFor({ state: "detached" });

	await page.getByRole("button", { name: "Change Who can sign up" }).click();
	await dialog.getByRole("radio", { name: "Nobody" }).check();
	await dialog.getByRole("button", { name: "Set rule" }).click();
	await dialog.waitFor({ state: "detached" });
	await look(page, "tenant policy set");

	const visitor = await open(acme.origin);
	await visitor.goto(`${acme.origin}/sign-in`);
	await visitor.locator('input[name="email"]').waitFor();
	if (await visitor.getByRole("link", { name: "Konto erstellen" }).count())
		wrong("the sign-in page still offers to sign up");
	if ((await visitor.content()).includes("GitLab")) wrong("the sign-in page offers a method that the policy excludes");
	await visitor.context().close();

	await page.getByRole("button", { name: "Change Allowed methods" }).click();
	await dialog.getByRole("button", { name: "Return to inherited" }).click();
	await dialog.waitFor({ state: "detached" });
	await hear(page, "Inherited: All that the service offers");
};
