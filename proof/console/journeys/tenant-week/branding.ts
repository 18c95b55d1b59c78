// cspell:ignore anmelden
import type { Page } from "playwright-core";
import type { Walk } from "../../journey.ts";
import { goTo, hear } from "./console-page.ts";

/** Changes the branding, with a preview, a refused color and a refused link. */
export const changeBranding = async ({ world, open, look, wrong }: Walk, page: Page): Promise<void> => {
	const { acme, read, globex } = world;
	await goTo(page, "Branding");
	await page.getByLabel("Name").waitFor();
	await look(page, "tenant branding");
	await page.getByLabel("Buttons", { exact: true }).fill("#ffd200");
	await page.getByText(/At least 3 is needed/).waitFor();
	await look(page, "tenant branding contrast");
	await page.getByLabel("Buttons", { exact: true }).fill("#7a1fa2");
	await page.getByLabel("Name").fill("Acme GmbH");
	await page.getByLabel("Privacy").fill("http://acme.example/privacy");
	await page.getByRole("button", { name: "Save branding" }).click();
	await page.getByText(/This is not an https URL/).waitFor();
	await look(page, "tenant branding refused");
	await page.getByLabel("Privacy").fill("https://acme.example/privacy");
	await page.getByRole("button", { name: "Save branding" }).click();
	await hear(page, "The branding is saved");

	const visitor = await open(acme.origin);
	await visitor.goto(`${acme.origin}/sign-in`);
	await visitor.getByRole("heading", { name: "Bei Acme GmbH anmelden" }).waitFor();
	if (!(await visitor.content()).includes("brand.7a1fa2")) wrong("the sign-in page does not have the new color");
	await visitor.context().close();
	const neighbor = JSON.stringify(await read(`/tenant/branding?tenantId=${globex.id}`));
	if (neighbor.includes("Acme")) wrong("the neighbor has Acme's branding");
};
