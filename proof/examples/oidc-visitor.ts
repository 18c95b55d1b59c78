import type { BrowserContext, Locator } from "playwright-core";

/** As the example keeps them in organizations.json. */
export type Organization = {
	slug: string;
	name: string;
	tenantId: string;
	issuer: string;
	clientId: string;
	clientSecret: string;
};

export type SignedIn = { email: string; subject: string; issuer: string };

/** A user in one tab, at the application beside the service and at the service's pages. */
export const openOidcVisitor = async (context: BrowserContext, app: string) => {
	const page = await context.newPage();
	const button = (name: string) => page.getByRole("button", { name, exact: true });
	const fill = async (fields: Record<string, string>): Promise<void> => {
		for (const [name, value] of Object.entries(fields)) await page.fill(`input[name="${name}"]`, value);
	};
	const card = (organization: string): Locator => page.getByRole("region", { name: organization, exact: true });

	return {
		page,
		fill,
		button,
		card,
		/** Enters an organization in the application. Leads to the organization's pages, or back if the user is signed in there. */
		start: async (slug: string): Promise<void> => {
			await page.goto(app);
			await page.getByLabel("Organization").fill(slug);
			await button("Sign in").click();
		},
		/** The error that a page shows. */
		error: async (): Promise<string> => {
			const alert = page.locator("[role=alert], .error").filter({ hasText: /\S/ }).first();
			return ((await alert.textContent()) ?? "").trim();
		},
		/** Who the application says is signed in to an organization. */
		signedIn: async (organization: string): Promise<SignedIn> => {
			const shown = card(organization);
			await shown.waitFor();
			const [subject = "", issuer = ""] = await shown.locator("code").allTextContents();
			return { email: (await shown.locator("strong").textContent()) ?? "", subject, issuer };
		},
	};
};
