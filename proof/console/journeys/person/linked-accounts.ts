import type { Page } from "playwright-core";
import type { IdentityProvider } from "test-kit/identity-provider";
import type { Walk } from "../../journey.ts";
import type { World } from "../../world.ts";

const GITLAB = "gitlab";

/** Gives both tenants credentials at the same server. */
const addCredentials = async ({ acme, globex, operate }: World, idp: IdentityProvider): Promise<void> => {
	for (const { id, slug, origin } of [acme, globex]) {
		const client = { clientId: `${slug}-at-gitlab`, clientSecret: `the-secret-of-${slug}-at-gitlab` };
		const options = { issuer: idp.gitlab.issuer };
		const config = { tenantId: id, providerId: GITLAB, ...client, options };
		const { callbackURL } = await operate("/tenant/oauth-config/register", config);
		// the operator is told the platform's URL, and the tenant's host has the same path
		idp.addClient({ ...client, redirectURIs: [`${origin}${new URL(String(callbackURL)).pathname}`] });
	}
};

const link = async (page: Page): Promise<void> => {
	await page.reload();
	await page.getByRole("button", { name: "Link GitLab" }).click();
	await page.getByRole("button", { name: "Unlink GitLab" }).waitFor();
};

/** The same person, with the same account at the provider, links it in both tenants and unlinks it in one. */
export const linkAndUnlink = async (walk: Walk, idp: IdentityProvider, page: Page, neighbor: Page): Promise<void> => {
	const { world, look, wrong } = walk;
	const { acme, globex, operate } = world;
	await addCredentials(world, idp);
	const isLinkedAtNeighbor = async (): Promise<boolean> => {
		await neighbor.reload();
		await neighbor.getByRole("button", { name: /^(Link|Unlink) GitLab$/ }).waitFor();
		return (await neighbor.getByRole("button", { name: "Unlink GitLab" }).count()) > 0;
	};
	await link(page);
	if (await isLinkedAtNeighbor()) wrong("an account that was linked at Acme is linked at Globex");
	await link(neighbor);
	await page.getByRole("button", { name: "Unlink GitLab" }).click();
	await look(page, "account unlink");
	await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
	await page.getByText("GitLab is unlinked").waitFor();
	await page.getByRole("button", { name: "Link GitLab" }).waitFor();
	if (!(await isLinkedAtNeighbor())) wrong("an account that was unlinked at Acme is unlinked at Globex");
	for (const { id } of [acme, globex])
		await operate("/tenant/oauth-config/delete", { tenantId: id, providerId: GITLAB });
};
