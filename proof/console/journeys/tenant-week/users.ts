import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { linkIn } from "test-kit/servers/smtp";
import type { Walk } from "../../journey.ts";
import { PASSWORD } from "../../world.ts";
import { chooseFor, goTo, hear } from "./console-page.ts";

const INVITED = "ivy@acme.example";

const createUser = async (page: Page, email: string, name: string): Promise<void> => {
	await page.getByRole("button", { name: "Create user" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Email").fill(email);
	await dialog.getByLabel("Name").fill(name);
	await dialog.getByLabel("Password (optional)").fill(PASSWORD);
	await dialog.getByRole("button", { name: "Create user" }).click();
	await hear(page, `${email} was created`);
};

/** Invites a user, who accepts by the link of the mail, and makes them an admin. Returns their email. */
export const inviteAndPromote = async ({ world, look, wrong }: Walk, page: Page): Promise<string> => {
	const { acme, smtp, call } = world;
	await goTo(page, "Users");
	await look(page, "tenant users");
	await page.getByRole("button", { name: "Invite" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Email").fill(INVITED);
	await look(page, "tenant invite");
	await dialog.getByRole("button", { name: "Send invitation" }).click();
	await hear(page, `${INVITED} is invited`);

	await page.getByRole("button", { name: "Invite", exact: true }).click();
	await dialog.getByLabel("Email").fill(INVITED);
	await dialog.getByRole("button", { name: "Send invitation" }).click();
	await dialog.getByRole("alert").waitFor();
	await look(page, "tenant invite refused");
	await dialog.getByRole("button", { name: "Cancel" }).click();

	const [first] = [linkIn(await smtp.mailTo(INVITED))];
	await page.getByRole("button", { name: `Resend the invitation of ${INVITED}` }).click();
	await hear(page, `${INVITED} got a new link`);
	await look(page, "tenant invitations");
	const accept = (link: string): Promise<Response> =>
		call(acme, "/tenant/invitation/accept", {
			body: { token: new URL(link).searchParams.get("token"), name: "Ivy Invited", password: PASSWORD },
		});
	if ((await accept(first)).ok) wrong("the old link of an invitation still works");
	const accepted = await accept(linkIn(await smtp.mailTo(INVITED)));
	if (!accepted.ok) wrong(`the invitation was not accepted: ${await accepted.text()}`);

	await page.reload();
	await chooseFor(page, "Ivy Invited", "Change role");
	await look(page, "tenant change role");
	await page
		.getByRole("dialog")
		.getByRole("radio", { name: /^Admin/ })
		.check();
	await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
	await hear(page, `${INVITED} is now admin`);
	return INVITED;
};

/** Bans a member and takes it back, exports and erases somebody. */
export const banAndErase = async ({ world, look, wrong }: Walk, page: Page): Promise<void> => {
	const { acme, call, read } = world;
	const [mallory, gone] = ["mallory@acme.example", "gone@acme.example"];
	await createUser(page, mallory, "Mallory Member");
	await createUser(page, gone, "Gina Gone");
	await call(acme, "/sign-in/email", { body: { email: mallory, password: PASSWORD } });

	await page.getByRole("link", { name: "Mallory Member" }).click();
	await page.getByRole("heading", { level: 1, name: "Mallory Member" }).waitFor();
	await page.getByRole("heading", { name: "Sessions" }).waitFor();
	await look(page, "tenant user");
	await page.getByRole("button", { name: "Actions" }).click();
	await look(page, "tenant user menu");
	await page.getByRole("menuitem", { name: "Ban" }).click();
	await page.getByRole("dialog").getByLabel("Reason").fill("Shared the password");
	await page.getByRole("dialog").getByLabel("Length").selectOption("1 week");
	await look(page, "tenant ban");
	await page.getByRole("dialog").getByRole("button", { name: "Ban user" }).click();
	await hear(page, "This user is banned");
	await look(page, "tenant user banned");
	const refused = await call(acme, "/sign-in/email", { body: { email: mallory, password: PASSWORD } });
	if (refused.ok) wrong("a banned user signed in");
	await page.getByRole("button", { name: "Undo" }).last().click();
	await hear(page, `${mallory} can sign in again`);
	await page.getByText("This user is banned").waitFor({ state: "detached" });

	await goTo(page, "Users");
	await page.getByRole("searchbox", { name: "Search users" }).fill("gina");
	await page.getByLabel("Search by").selectOption("name");
	await hear(page, "Nobody found");
	await look(page, "tenant users nobody found");
	await page.getByRole("searchbox", { name: "Search users" }).fill("Gina");
	await chooseFor(page, "Gina Gone", "Export data");
	const exported = page.waitForEvent("download");
	await page.getByRole("dialog").getByRole("button", { name: "Download" }).click();
	if (!(await readFile(await (await exported).path(), "utf8")).includes(gone))
		wrong("the export lacks the user's email");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await chooseFor(page, "Gina Gone", "Erase");
	const dialog = page.getByRole("dialog");
	if (await dialog.getByRole("button", { name: "Erase user" }).isEnabled()) wrong("erase needs no typed address");
	await look(page, "tenant erase");
	await dialog.getByLabel(/^Type/).fill(gone);
	await dialog.getByRole("button", { name: "Erase user" }).click();
	await dialog.getByRole("heading", { name: "The user is erased" }).waitFor();
	await look(page, "tenant erased");
	const saved = page.waitForEvent("download");
	await dialog.getByRole("button", { name: "Download record" }).click();
	const record = await readFile(await (await saved).path(), "utf8");
	if (record.split(".").length !== 3 || record.includes(gone)) wrong("the record of the erasure is not a signed one");
	await dialog.getByRole("button", { name: "Close" }).last().click();
	const users = JSON.stringify(await read(`/tenant/user/list?tenantId=${acme.id}`));
	if (users.includes(gone)) wrong("the erased user exists");
};
