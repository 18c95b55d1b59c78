import type { WalkWith } from "./states.ts";
import { PASSWORD } from "./visitor.ts";

/** Walks through the page of an invitation: for a new user, a user of the tenant, and somebody else. */
export const walkInvitations = async ({ visitor, tenant, world, look, email }: WalkWith): Promise<void> => {
	const { page, open, fill, send } = visitor;
	const [owner, invited] = [email.replace("ada", "olivia"), email.replace("ada", "mia")];
	await open(await world.invite(tenant, owner, "owner"));
	await page.evaluate(() => document.forms[0]?.setAttribute("novalidate", ""));
	await fill({ name: "Olivia", password: "short" });
	await send();
	await look("accept-invitation-wrong");
	await fill({ password: PASSWORD });
	await send();
	await look("signed-in-joined");

	world.smtp.mails.splice(0);
	await visitor.call("/tenant/invitation/create", { tenantId: tenant.id, email: invited, role: "admin" });
	await open(await world.invitationTo(invited));
	await look("accept-invitation-other");
	await send();
	await look("accept-invitation");

	const again = await world.invite(tenant, owner, "owner");
	await open(again);
	await fill({ name: "Olivia", password: PASSWORD });
	await send();
	await look("accept-invitation-account");
	await page.click("a.button.primary");
	await fill({ password: PASSWORD });
	await send();
	await look("accept-invitation-signed-in");
	await send();
	await visitor.signOut();
	await open(again);
	await look("accept-invitation-not-found");
};
