import type { WalkWith } from "./states.ts";
import { SHOP } from "./world.ts";

/** Walks through pages that nobody wants to see: nothing there, refused, and one that leads on. */
export const walkErrors = async ({ visitor, tenant, look }: WalkWith): Promise<void> => {
	const { page, open } = visitor;
	const post = async (path: string): Promise<void> => {
		const sent = page.waitForNavigation();
		await page.evaluate((action) => {
			const form = document.createElement("form");
			[form.method, form.action] = ["post", action];
			document.body.append(form);
			form.submit();
		}, `${tenant.origin}${path}`);
		await sent;
	};
	await open("/sign-in");
	// a page without a form
	await post("/signed-in");
	await look("not-found");
	await page.goto(`${SHOP}/`);
	await post("/sign-in");
	await look("form-of-another-site");
	// a target that answers nothing, so the browser stays on the page that leads to it
	await page.route("https://github.com/**", (route) => route.fulfill({ status: 204 }));
	await open("/sign-in");
	await Promise.all([page.waitForNavigation(), page.click("button[value=github]")]);
	await look("leading-on");
};
