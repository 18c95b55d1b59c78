import type { Page } from "playwright-core";
import type { IdentityProvider } from "test-kit/identity-provider";
import type { Walk } from "../../journey.ts";
import { goTo, hear } from "./console-page.ts";

const CLIENT = { clientId: "acme-at-gitlab", clientSecret: "the-secret-of-acme-at-gitlab" };

/** Tests the stored credentials in a new tab, and waits for the words in the first one. */
const test = async (page: Page, expected: string): Promise<Page> => {
	const opened = page.context().waitForEvent("page");
	await page.getByRole("button", { name: "Test credentials" }).click();
	const tab = await opened;
	await tab.getByText("You can close this tab.").waitFor();
	await page.getByRole("status").getByText(expected).waitFor();
	return tab;
};

/** Adds credentials for a provider, first with a wrong secret, and tests them at the identity provider. */
export const addProvider = async ({ world, look, wrong }: Walk, page: Page, idp: IdentityProvider): Promise<void> => {
	const { acme, read } = world;
	await goTo(page, "OAuth providers");
	await page.getByRole("link", { name: "GitLab" }).waitFor();
	await look(page, "tenant providers");
	await page.getByRole("link", { name: "GitLab" }).click();
	await page.getByRole("heading", { level: 1, name: "GitLab" }).waitFor();
	await page.getByLabel("Client ID").waitFor();
	await look(page, "tenant provider new");
	const save = async (secret: string): Promise<void> => {
		await page.getByLabel("Client ID").fill(CLIENT.clientId);
		await page.getByLabel("Client secret").fill(secret);
		await page.getByLabel("issuer").fill(idp.gitlab.issuer);
		await page.getByRole("button", { name: /^Save/ }).click();
		await hear(page, "The credentials for GitLab are stored");
	};
	await save("a wrong secret");
	await page.getByRole("heading", { name: "Test", exact: true }).waitFor();
	const callbackURL = (await page.locator("code").first().textContent()) ?? "";
	idp.addClient({ ...CLIENT, redirectURIs: [callbackURL] });
	const failed = await test(page, "It does not work");
	await look(failed, "tenant provider test failed");
	await failed.close();
	await look(page, "tenant provider test failed here");

	await page.getByLabel("Client secret").fill(CLIENT.clientSecret);
	const listed = page.waitForResponse((answer) => answer.url().includes("/tenant/oauth-config/list"));
	await page.getByRole("button", { name: "Save changes" }).click();
	await listed;
	const worked = await test(page, "It works");
	await look(worked, "tenant provider test worked");
	await worked.close();
	await look(page, "tenant provider");
	if ((await page.content()).includes(CLIENT.clientSecret)) wrong("the page shows the client secret");
	const users = JSON.stringify(await read(`/tenant/user/list?tenantId=${acme.id}`));
	if (users.includes("tester@idp.example")) wrong("the test of a provider created a user");
	const methods = JSON.stringify(await (await world.call(acme, "/tenant/methods")).json());
	if (!methods.includes("gitlab")) wrong("the sign-in page does not offer the provider");
};

/** Deletes the credentials. The sign-in page then no longer offers the provider. */
export const deleteProvider = async ({ world, wrong }: Walk, page: Page): Promise<void> => {
	await goTo(page, "OAuth providers");
	await page.getByRole("link", { name: "GitLab" }).click();
	await page.getByRole("button", { name: "Delete credentials" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete credentials" }).click();
	await hear(page, "The credentials for GitLab are deleted");
	const methods = await (await world.call(world.acme, "/tenant/methods")).text();
	if (methods.includes("gitlab")) wrong("the sign-in page offers a provider without credentials");
};
