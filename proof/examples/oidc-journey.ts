import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import type { ReadTenants } from "./journey.ts";
import { type Organization, openOidcVisitor } from "./oidc-visitor.ts";
import { photograph } from "./visitor.ts";

export const EMAIL = "ada@example.com";
export const passwordAt = (slug: string): string => `the password at ${slug}`;

type Given = { app: string; organizations: Organization[]; tenantsOf: ReadTenants; pictures: string | null };

/** Signs the same email up at both organizations through the application, and checks that they are two users. */
export const travelByOidc = async (
	browser: Browser,
	{ app, organizations, tenantsOf, pictures }: Given,
): Promise<string[]> => {
	const checks: string[] = [];
	const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, locale: "en-US" });
	context.setDefaultTimeout(60_000);
	try {
		const visitor = await openOidcVisitor(context, app);
		const { page } = visitor;
		await visitor.start("nobody");
		assert.match(await visitor.error(), /no such organization/);

		for (const { slug, name, issuer } of organizations) {
			await visitor.start(slug);
			await page.getByRole("heading", { name: `Sign in to ${name}` }).waitFor();
			assert.equal(new URL(page.url()).origin, new URL(issuer).origin);
			if (slug === "globex") {
				await visitor.fill({ email: EMAIL, password: passwordAt("acme") });
				await visitor.button("Sign in").click();
				await page.getByText("Email or password is wrong.").waitFor();
			}
			await page.getByRole("link", { name: "Create an account" }).click();
			await visitor.fill({ name: "Ada", email: EMAIL, password: passwordAt(slug) });
			await visitor.button("Create account").click();
			await page.getByRole("heading", { name: "Allow Notes?" }).waitFor();
			if (slug === "acme") await photograph(page, pictures, "consent");
			await visitor.button("Allow").click();
			await visitor.card(name).waitFor();
		}
		checks.push("signs up on the pages of each organization, and allows the application");

		const [atAcme, atGlobex] = [await visitor.signedIn("Acme"), await visitor.signedIn("Globex")];
		await photograph(page, pictures, "two-users");
		assert.deepEqual([atAcme.email, atGlobex.email], [EMAIL, EMAIL]);
		assert.notEqual(atAcme.subject, atGlobex.subject);
		assert.deepEqual(
			[atAcme.issuer, atGlobex.issuer],
			organizations.map(({ issuer }) => issuer),
		);
		assert.equal(new Set(await tenantsOf(EMAIL)).size, 2);
		checks.push("the same email is two users, in the application and in the database");

		await visitor.button("Sign out of Acme").click();
		await page.waitForURL(`${app}/`);
		await visitor.card("Acme").waitFor({ state: "detached" });
		assert.deepEqual(await visitor.signedIn("Globex"), atGlobex);
		checks.push("signing out of Acme leaves Globex");

		// the session at the organization ended too, so it asks for the password
		await visitor.start("acme");
		await page.getByRole("heading", { name: "Sign in to Acme" }).waitFor();
		await visitor.fill({ email: EMAIL, password: passwordAt("globex") });
		await visitor.button("Sign in").click();
		await page.getByText("Email or password is wrong.").waitFor();
		await visitor.fill({ email: EMAIL, password: passwordAt("acme") });
		await visitor.button("Sign in").click();
		assert.deepEqual(await visitor.signedIn("Acme"), atAcme);
		checks.push("each organization takes its own password only, and is the same user again");
		return checks;
	} finally {
		await context.close();
	}
};
