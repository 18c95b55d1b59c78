import type { Page } from "playwright-core";
import { linkIn } from "test-kit/servers/smtp";
import type { Walk } from "../../journey.ts";
import { PASSWORD } from "../../world.ts";
import { goTo, hear } from "./console-page.ts";

const INVITED = "late@acme.example";

/** Invites somebody by mistake and revokes it. The link in the mail then leads nowhere. */
export const revokeInvitation = async ({ world, wrong }: Walk, page: Page): Promise<void> => {
	const { acme, smtp, call } = world;
	const dialog = page.getByRole("dialog");
	await goTo(page, "Users");
	await page.getByRole("button", { name: "Invite", exact: true }).click();
	await dialog.getByLabel("Email").fill(INVITED);
	await dialog.getByRole("button", { name: "Send invitation" }).click();
	await hear(page, `${INVITED} is invited`);
	const token = new URL(linkIn(await smtp.mailTo(INVITED))).searchParams.get("token");
	await page.getByRole("button", { name: `Revoke the invitation of ${INVITED}` }).click();
	await dialog.getByRole("button", { name: "Revoke" }).click();
	await hear(page, `The invitation of ${INVITED} is revoked`);
	await page.getByRole("button", { name: `Revoke the invitation of ${INVITED}` }).waitFor({ state: "detached" });
	const body = { token, name: "Lars Late", password: PASSWORD };
	if ((await call(acme, "/tenant/invitation/accept", { body })).ok) wrong("a revoked invitation was accepted");
};
