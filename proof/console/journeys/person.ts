import type { Page } from "playwright-core";
import { startIdentityProvider } from "test-kit/identity-provider";
import { enroll } from "../enroll.ts";
import type { Journey, Walk } from "../journey.ts";
import { signInAtTenant } from "../sign-in.ts";
import { PASSWORD, type Tenant } from "../world.ts";
import { linkAndUnlink } from "./person/linked-accounts.ts";

const EMAIL = "mia@people.example";
const NEW_PASSWORD = "a better horse battery";
/** A name that a page which writes HTML would run. */
const HOSTILE = `Mia <script>document.title='run'</script>`;

/** A member of two tenants changes the account in one. The account in the other stays as it is. */
export const personJourney: Journey = {
	name: "person",
	walk: async (walk) => {
		const { world, open, look, wrong } = walk;
		const { acme, globex } = world;
		for (const tenant of [acme, globex])
			await world.operate("/tenant/user/create", {
				tenantId: tenant.id,
				email: EMAIL,
				name: "Mia Member",
				role: "member",
				password: PASSWORD,
			});
		const idp = await startIdentityProvider();
		const atProvider = async (url: string) =>
			url.startsWith(idp.gitlab.issuer) ? idp.authorize(url, { sub: "mia", email: EMAIL, emailVerified: true }) : null;
		const page = await open(acme.origin, atProvider);
		await signInAtTenant(page, acme, EMAIL);
		await page.getByRole("heading", { name: "Your account" }).waitFor();
		await page.getByText("No passkey yet").waitFor();
		await look(page, "account");
		await changeProfile(walk, page);
		await endSession(walk, page, acme);
		await usePasskeys(walk, page);
		await setUpTotp(walk, page);

		const neighbor = await open(globex.origin, atProvider);
		await signInAtTenant(neighbor, globex, EMAIL);
		await neighbor.getByText("No passkey yet").waitFor();
		if ((await neighbor.getByLabel("Name", { exact: true }).inputValue()) !== "Mia Member")
			wrong("the account at Globex changed with the one at Acme");
		if (await neighbor.getByRole("button", { name: "Turn off" }).count()) wrong("Globex has the second factor of Acme");
		await linkAndUnlink(walk, idp, page, neighbor).finally(() => idp.close());
		await requireSecondFactor(walk, neighbor, globex);
		await noSecrets(walk, page);
	},
};

const changeProfile = async ({ wrong, look }: Walk, page: Page): Promise<void> => {
	await page.getByLabel("Name", { exact: true }).fill(HOSTILE);
	await page.getByRole("button", { name: "Save name" }).click();
	await page.getByText("Your name is saved").waitFor();
	await page.getByRole("button", { name: HOSTILE }).waitFor();
	if ((await page.title()) === "run") wrong("the name of a user ran as a script");
	await page.getByLabel("Current password").fill("not the password");
	await page.getByLabel("New password").fill(NEW_PASSWORD);
	await page.getByRole("button", { name: "Change password" }).click();
	await page.getByRole("alert").waitFor();
	await look(page, "account wrong password");
	await page.getByLabel("Current password").fill(PASSWORD);
	await page.getByRole("button", { name: "Change password" }).click();
	await page.getByText("Your password is changed").waitFor();
};

const endSession = async ({ open, wrong }: Walk, page: Page, tenant: Tenant): Promise<void> => {
	const other = await open(tenant.origin);
	await signInAtTenant(other, tenant, EMAIL, NEW_PASSWORD);
	await other.getByRole("heading", { name: "Your account" }).waitFor();
	await page.reload();
	await page.getByRole("button", { name: "End", exact: true }).click();
	await page.getByText("The session is ended").waitFor();
	await page.getByRole("button", { name: "End", exact: true }).waitFor({ state: "detached" });
	await other.goto(`${tenant.origin}/console/account`);
	await other.waitForURL(`${tenant.origin}/sign-in?**`);
	if (await other.getByRole("heading", { name: "Your account" }).count()) wrong("a session that was ended still works");
	await other.context().close();
};

const usePasskeys = async ({ look }: Walk, page: Page): Promise<void> => {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("WebAuthn.enable");
	await devtools.send("WebAuthn.addVirtualAuthenticator", {
		options: {
			protocol: "ctap2",
			transport: "internal",
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
		},
	});
	await page.getByRole("button", { name: "Add a passkey" }).click();
	await page.getByRole("dialog").getByLabel("Name").fill("Work laptop");
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByText("The passkey is added").waitFor();
	await page.getByRole("button", { name: "Rename Work laptop" }).click();
	await page.getByRole("dialog").getByLabel("Name").fill("Old laptop");
	await look(page, "account passkey");
	await page.getByRole("button", { name: "Rename", exact: true }).click();
	await page.getByRole("button", { name: "Delete Old laptop" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
	await page.getByText("No passkey yet").waitFor();
};

const setUpTotp = async ({ look, wrong }: Walk, page: Page): Promise<void> => {
	await page.getByRole("button", { name: "Set up" }).click();
	await enroll(page, NEW_PASSWORD, () => look(page, "account set up"));
	await look(page, "account backup codes");
	await page.getByRole("button", { name: "I have kept them" }).click();
	await page.getByRole("button", { name: "New backup codes" }).click();
	await page.getByRole("dialog").getByLabel("Your password").fill(NEW_PASSWORD);
	await page.getByRole("button", { name: "Make new codes" }).click();
	await page.getByRole("list", { name: "Backup codes" }).waitFor();
	const codes = await page.getByRole("list", { name: "Backup codes" }).getByRole("listitem").allTextContents();
	if (codes.length < 5) wrong(`only ${codes.length} backup codes are shown`);
	await page.getByRole("button", { name: "I have kept them" }).click();
	await page.getByRole("button", { name: "Turn off" }).click();
	await page.getByRole("dialog").getByLabel("Your password").fill(NEW_PASSWORD);
	await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
	await page.getByRole("button", { name: "Set up" }).waitFor();
};

/** A session from before the rule is led to the set-up, and then to where it wanted to go. */
const requireSecondFactor = async ({ world, look }: Walk, page: Page, tenant: Tenant): Promise<void> => {
	await world.operate("/tenant/policy/update", { tenantId: tenant.id, policy: { secondFactor: "required" } });
	await page.goto(`${tenant.origin}/console/account`);
	await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
	await look(page, "second factor required");
	await enroll(page, PASSWORD);
	await page.getByRole("button", { name: "I have kept them" }).click();
	await page.getByRole("button", { name: "Turn off" }).waitFor();
	await world.operate("/tenant/policy/update", { tenantId: tenant.id, policy: { secondFactor: "optional" } });
};

/** Whoever looks at the history or the storage of the browser finds no token. */
const noSecrets = async ({ wrong }: Walk, page: Page): Promise<void> => {
	const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
	const cookies = await page.context().cookies();
	for (const { name, value } of cookies) {
		if (value !== "" && kept.includes(decodeURIComponent(value).split(".")[0] ?? value))
			wrong(`the storage or the URL has the cookie ${name}`);
	}
	const readable = await page.evaluate(() => document.cookie);
	if (readable !== "") wrong(`scripts can read cookies: ${readable}`);
};
