import type { Page } from "playwright-core";
import type { Person } from "test-kit/oidc-look-alike";
import { PROVIDER_NAMES } from "./auth-pages.ts";
import type { ProviderId } from "./identity-server.ts";

export type Visitor = ReturnType<typeof createVisitor>;

const SCREENSHOTS = new URL("../../../docs/screenshots/", import.meta.url).pathname;

/** A user in one tab of a browser, with methods for what they do there. */
export const createVisitor = (page: Page, origin: string) => {
	const read = async (id: string): Promise<string> => (await page.locator(`#${id}`).textContent()) ?? "";
	const click = (name: string) => page.getByRole("button", { name, exact: true }).click();

	const visitor = {
		page,
		/** Opens a tenant's sign-in page, or the platform's. */
		open: async (slug?: string): Promise<void> => {
			await page.goto(slug ? `${origin}/t/${slug}` : `${origin}/sign-in`);
		},
		/** Starts a social sign-in on the sign-in page. */
		choose: (provider: ProviderId) => click(`Continue with ${PROVIDER_NAMES[provider]}`),
		/** Signs in at the identity provider, and waits for the consent page. */
		identify: async (person: Person): Promise<void> => {
			await page.getByLabel("Account").fill(person.sub);
			await page.getByLabel("E-mail").fill(person.email);
			await page.getByLabel("Name").fill(person.name ?? person.email);
			await click("Sign in");
			await page.getByRole("button", { name: "Allow" }).waitFor();
		},
		allow: () => click("Allow"),
		deny: () => click("Deny"),
		link: (provider: ProviderId) => click(`Link ${PROVIDER_NAMES[provider]}`),
		unlink: (provider: ProviderId) =>
			page.getByRole("listitem").filter({ hasText: PROVIDER_NAMES[provider] }).getByRole("button").click(),
		withPassword: async (button: "Create account" | "Sign in", fields: Record<string, string>): Promise<void> => {
			for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
			await click(button);
		},
		/** The tenant and user that the home page shows. */
		whereabouts: async (): Promise<{ email: string; tenant: string }> => {
			await page.waitForURL(`${origin}/home`);
			return { email: await read("email"), tenant: await read("tenant") };
		},
		linked: async (): Promise<string[]> =>
			(await page.locator("#accounts li").allInnerTexts()).map((text) => text.split(/\s/)[0] ?? ""),
		/** The code on the error page. */
		error: (): Promise<string> => read("error"),
		signOut: async (): Promise<void> => {
			await click("Sign out");
			await page.getByText("You are not signed in").waitFor();
		},
		/** The complete sign-in of a user who is new to the identity provider in this browser. */
		signInWith: async (provider: ProviderId, person: Person, slug?: string): Promise<void> => {
			await visitor.open(slug);
			await visitor.choose(provider);
			await visitor.identify(person);
			await visitor.allow();
			await page.waitForURL(`${origin}/home`);
		},
		/** Calls the engine from the page, with the browser's cookies and the page's origin. */
		call: (path: string, body?: Record<string, unknown>): Promise<{ status: number; json: unknown }> =>
			page.evaluate(
				async ([path, body]) => {
					const answer = await fetch(`/api/auth${path}`, {
						method: body ? "POST" : "GET",
						headers: body ? { "content-type": "application/json" } : {},
						body: body ? JSON.stringify(body) : null,
					});
					// some errors of the engine have no body
					const text = await answer.text();
					return { status: answer.status, json: text ? (JSON.parse(text) as unknown) : null };
				},
				[path, body] as const,
			),
		/** A picture for the documentation. */
		photograph: async (name: string): Promise<void> => {
			// pointer and focus would change the picture
			await page.mouse.move(0, 0);
			await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
			await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, animations: "disabled", caret: "hide" });
		},
	};
	return visitor;
};
