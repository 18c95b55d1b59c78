import type { Page } from "playwright-core";
import type { Walk } from "../../journey.ts";
import { PASSWORD } from "../../world.ts";
import { goTo, hear } from "./console-page.ts";

const HOSTILE = `<img src=x onerror="document.title='taken'">`;

/** Texts that others chose are shown as texts: the name of a user, a reason, a user agent, a name in the branding. */
export const showHostileTexts = async ({ world, look, wrong }: Walk, page: Page): Promise<void> => {
	const { acme, operate, call } = world;
	const email = "hostile@acme.example";
	const { id } = await operate("/tenant/user/create", { tenantId: acme.id, email, name: HOSTILE, password: PASSWORD });
	await call(acme, "/sign-in/email", { body: { email, password: PASSWORD }, headers: { "user-agent": HOSTILE } });
	const check = async (where: string): Promise<void> => {
		if (await page.locator('img[src="x"]').count()) wrong(`${where} shows a hostile text as HTML`);
		if ((await page.title()) === "taken") wrong(`${where} runs a hostile text`);
	};
	await goTo(page, "Users");
	await page.getByRole("searchbox", { name: "Search users" }).fill("hostile");
	await page.getByRole("link", { name: HOSTILE }).click();
	await page.getByRole("heading", { level: 1, name: HOSTILE }).waitFor();
	await page.getByRole("button", { name: /^End the session <img/ }).waitFor();
	await look(page, "tenant hostile user");
	await check("the page of a user");
	await operate("/tenant/user/ban", { tenantId: acme.id, userId: id, reason: HOSTILE });
	await page.reload();
	await hear(page, `Reason: ${HOSTILE}`);
	await check("the reason of a ban");
	await operate("/tenant/user/remove", { tenantId: acme.id, userId: id });
	await goTo(page, "Branding");
	await page.getByLabel("Name").fill(`<b>${HOSTILE.slice(0, 50)}`);
	await check("the preview");
	await goTo(page, "Events");
	await hear(page, "Removed a user");
	await check("the events");
};
