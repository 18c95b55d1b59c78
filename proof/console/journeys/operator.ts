import type { Page } from "playwright-core";
import type { Journey, Walk } from "../journey.ts";
import { OPERATOR, signInAtPlatform } from "../sign-in.ts";
import type { Tenant } from "../world.ts";
import { useBackupCode } from "./operator/backup-code.ts";
import { turnPages } from "./operator/pages-of-tenants.ts";

/** Names that a page which writes HTML would run. */
const HOSTILE = `<img src=x onerror="document.title='run'">{{7*7}}`;

/** More than two tenants, so that the list looks like one. */
const NEIGHBORS = [
	["Lakeside Clinic", "lakeside-clinic"],
	["Blue Ridge Labs", "blue-ridge-labs"],
	["Harbor Freight Lines", "harbor-freight-lines"],
] as const;

/** An operator is created by a command, and creates, searches, suspends, restores, impersonates and deletes. */
export const operatorJourney: Journey = {
	name: "operator",
	walk: async (walk) => {
		const { world, open, look } = walk;
		const printed = await world.command("operator", "create", OPERATOR, "--name", "Ada Lovelace", "--json");
		const { password } = JSON.parse(printed.join("")) as { password: string };
		const page = await open(world.platform);
		await signInAtPlatform(page, world, password);
		await page.getByRole("heading", { name: "Sign-ins by method" }).waitFor();
		await look(page, "operator overview");
		await create(walk, page);
		await search(walk, page);
		await closeAndRestore(walk, page, world.globex);
		await deleteTenant(walk, page);
		await page.getByRole("link", { name: "Events" }).click();
		await page.getByText("Deleted the tenant").first().waitFor();
		await look(page, "operator events");
		await impersonate(walk, page, world.acme);
		await useBackupCode(walk, page, password);
		await turnPages(walk, page);
	},
};

const openTenants = async (page: Page): Promise<void> => {
	await page
		.getByRole("link", { name: /^(All tenants|Tenants)$/ })
		.first()
		.click();
	await page.getByRole("heading", { name: "Tenants", level: 1 }).waitFor();
};

const create = async ({ world, look, wrong }: Walk, page: Page): Promise<void> => {
	for (const [name, slug] of NEIGHBORS) await world.operate("/tenant/create", { name, slug });
	for (const [name, slug] of [
		["Café Initech", "cafe-initech"],
		[HOSTILE, "hostile"],
	] as const) {
		await openTenants(page);
		if (slug === "hostile") {
			await page.getByRole("link", { name: "Café Initech" }).waitFor();
			await look(page, "operator tenants");
		}
		await page.getByRole("button", { name: "Create tenant" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Name").fill(name);
		if (slug === "hostile") {
			await dialog.getByLabel("Slug").fill("acme");
			await dialog.getByText("Another tenant has this slug").waitFor();
			await look(page, "operator slug taken");
			await dialog.getByLabel("Slug").fill(slug);
		} else if ((await dialog.getByLabel("Slug").inputValue()) !== slug) wrong(`the slug of ${name} is not ${slug}`);
		await dialog.getByText("This slug is free").waitFor();
		if (slug !== "hostile") await look(page, "operator create tenant");
		await dialog.getByRole("button", { name: "Create tenant" }).click();
		await page.waitForURL("**/console/tenant/*");
	}
	await openTenants(page);
	await page.getByRole("link", { name: HOSTILE }).waitFor();
	if ((await page.title()) === "run") wrong("the name of a tenant ran as a script");
	await look(page, "operator hostile name");
};

const search = async ({ look, wrong }: Walk, page: Page): Promise<void> => {
	const field = page.getByLabel("Search tenants");
	await field.fill("glo");
	await page.waitForURL("**/tenants?search=glo");
	await page.getByRole("link", { name: "Café Initech" }).waitFor({ state: "detached" });
	await page.getByRole("link", { name: "Globex Corporation" }).click();
	await page.waitForURL("**/console/tenant/*");
	await page.goBack();
	await page.waitForURL("**/tenants?search=glo");
	if ((await field.inputValue()) !== "glo") wrong("the way back forgot the search");
	await field.fill("nobody");
	await page.getByText("No tenant found").waitFor();
	await look(page, "operator nothing found");
	await page.getByRole("link", { name: "Show all tenants" }).click();
	await page.getByRole("link", { name: "Café Initech" }).waitFor();
	if ((await field.inputValue()) !== "") wrong("the search stays in the field");
};

const act = async (page: Page, name: string, item: string): Promise<void> => {
	await page.getByRole("button", { name: `Actions for ${name}` }).click();
	await page.getByRole("menuitem", { name: item }).click();
};

const closeAndRestore = async ({ open, look, wrong }: Walk, page: Page, { name, origin }: Tenant): Promise<void> => {
	const visitor = await open(origin);
	const visit = async (): Promise<number> => (await visitor.goto(`${origin}/sign-in`))?.status() ?? 0;
	await page.getByRole("button", { name: `Actions for ${name}` }).click();
	await page.getByRole("menuitem", { name: "Suspend" }).waitFor();
	await look(page, "operator menu");
	await page.getByRole("menuitem", { name: "Suspend" }).click();
	await page.getByLabel("Reason").fill(`unpaid ${HOSTILE}`);
	await look(page, "operator suspend");
	await page.getByRole("button", { name: "Suspend" }).click();
	await page.getByText(`${name} is suspended`).waitFor();
	await look(page, "operator suspended");
	if ((await visit()) !== 403) wrong("the sign-in page of a suspended tenant is open");
	await page.getByRole("button", { name: "Undo" }).click();
	await page.getByText(`${name} is active again`).waitFor();
	if ((await visit()) !== 200) wrong("the sign-in page of a restored tenant is closed");

	await act(page, name, "Archive");
	await page.getByLabel("Reason").fill("has left");
	await page.getByRole("button", { name: "Archive" }).click();
	await page.getByText(`${name} is archived`).waitFor();
	await page.getByLabel("Status").selectOption("archived");
	await page.getByRole("link", { name: "Acme", exact: true }).waitFor({ state: "detached" });
	await act(page, name, "Restore");
	await page.getByLabel("End all sessions from before").check();
	await look(page, "operator restore");
	await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
	await page.getByText("No archived tenant is here").waitFor();
	if ((await visit()) !== 200) wrong("the sign-in page of a restored tenant is closed");
	await page.getByLabel("Status").selectOption("");
	await visitor.context().close();
};

const deleteTenant = async ({ look, wrong }: Walk, page: Page): Promise<void> => {
	await act(page, HOSTILE, "Delete");
	const button = page.getByRole("button", { name: "Delete forever" });
	if (await button.isEnabled()) wrong("a tenant can be deleted without its name");
	await look(page, "operator delete");
	await page.getByRole("dialog").getByRole("textbox").fill(HOSTILE);
	// the response waits until the progress is looked at
	let seen = (): void => undefined;
	const looked = new Promise<void>((resolve) => {
		seen = resolve;
	});
	await page.route("**/tenant/delete", async (route) => {
		const response = await route.fetch({ timeout: 0 });
		await looked;
		await route.fulfill({ response });
	});
	await button.click();
	await page.getByRole("progressbar").waitFor();
	await look(page, "operator deleting");
	seen();
	await page.getByText(`${HOSTILE} is deleted`).waitFor();
	await page.getByRole("link", { name: HOSTILE }).waitFor({ state: "detached" });
};

/** The session of the operator becomes that of the user. The console then shows nothing but the way out. */
const impersonate = async ({ world, look }: Walk, page: Page, tenant: Tenant): Promise<void> => {
	await openTenants(page);
	await page.getByRole("link", { name: tenant.name, exact: true }).click();
	await page.getByRole("link", { name: "Users" }).click();
	await page.getByRole("button", { name: "Actions for Olivia Owner" }).click();
	await page.getByRole("menuitem", { name: "Impersonate" }).click();
	await page.getByLabel("Reason").fill("ticket 4711");
	await look(page, "operator impersonate");
	await page.getByRole("button", { name: "Impersonate" }).click();
	await page.getByRole("heading", { name: "You impersonate a user" }).waitFor();
	// no page of the console opens in such a session
	await page.goto(`${world.platform}/console/tenants`);
	await page.getByRole("heading", { name: "You impersonate a user" }).waitFor();
	await page.getByText(tenant.owner).waitFor();
	await look(page, "operator impersonating");
	await page.getByRole("button", { name: "End now and sign in again" }).click();
	await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
};
