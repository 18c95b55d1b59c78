import type { Page } from "playwright-core";
import type { Walk } from "../../journey.ts";
import { signInAtTenant } from "../../sign-in.ts";
import { goTo, hear } from "./console-page.ts";

/** The pages that need a week to have something on them, and what an admin sees who is not an owner. */
export const lookAround = async ({ world, open, look, wrong }: Walk, page: Page, adminEmail: string): Promise<void> => {
	const { acme, globex } = world;
	await goTo(page, "Events");
	await hear(page, "Erased a user");
	await look(page, "tenant events");
	await goTo(page, "Settings");
	await page.getByText("Sign-in URL").waitFor();
	await look(page, "tenant settings");
	if (await page.getByRole("heading", { name: "Danger zone" }).count()) wrong("an owner sees the danger zone");
	await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Overview" }).click();
	await page.getByRole("heading", { name: "Sign-ins per day" }).waitFor();
	await page.getByRole("img", { name: /^Sign-ins per day/ }).waitFor();
	await look(page, "tenant overview");

	const admin = await open(acme.origin);
	await signInAtTenant(admin, acme, adminEmail);
	await goTo(admin, "Policy");
	await hear(admin, "Only owners can change the policy");
	if (await admin.getByRole("button", { name: /^Change/ }).count()) wrong("an admin sees how to change the policy");
	await look(admin, "tenant policy of an admin");
	await admin.goto(`${acme.origin}/console/tenant/${globex.id}/users`);
	await admin.getByRole("heading", { name: "Nothing is here" }).waitFor();
	await look(admin, "tenant of somebody else");
	await admin.context().close();
};
