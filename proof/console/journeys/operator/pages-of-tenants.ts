import type { Page } from "playwright-core";
import type { Walk } from "../../journey.ts";

/** One more than a page of the list has. */
const CUSTOMERS = Array.from({ length: 26 }, (_, index) => `Customer ${String(index + 1).padStart(2, "0")}`);

/** Goes to the next page of a search and back. Every tenant is on one page, and each page has a URL. */
export const turnPages = async ({ world, look, wrong }: Walk, page: Page): Promise<void> => {
	for (const name of CUSTOMERS) {
		const slug = name.toLowerCase().replace(" ", "-");
		await world.operate("/tenant/create", { name, slug });
	}
	const shown = async (): Promise<string[]> => page.getByRole("link", { name: /^Customer \d+$/ }).allTextContents();
	await page.goto(`${world.platform}/console/tenants?search=customer-`);
	await page.getByRole("link", { name: "Next page" }).waitFor();
	const first = await shown();
	await page.getByRole("link", { name: "Next page" }).click();
	await page.waitForURL(/search=customer-.*cursor=|cursor=.*search=customer-/);
	await page.getByRole("link", { name: first[0] ?? "" }).waitFor({ state: "detached" });
	const second = await shown();
	if (first.length !== 25 || JSON.stringify([...first, ...second].sort()) !== JSON.stringify(CUSTOMERS))
		wrong(`the pages show ${first.length} and ${second.length} of ${CUSTOMERS.length} tenants`);
	if (await page.getByRole("link", { name: "Next page" }).count()) wrong("the last page has a next one");
	await look(page, "operator last page");
	await page.reload();
	await page.getByRole("link", { name: second[0] ?? "" }).waitFor();
	if ((await shown()).length !== second.length) wrong("a reload shows another page");
	await page.getByRole("link", { name: "First page" }).click();
	await page.getByRole("link", { name: first[0] ?? "" }).waitFor();
	await page.goBack();
	await page.getByRole("link", { name: second[0] ?? "" }).waitFor();
};
