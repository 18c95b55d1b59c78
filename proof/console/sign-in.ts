import type { Page } from "playwright-core";
import { PASSWORD, type Tenant, type World } from "./world.ts";

/** Signs in on the tenant's own sign-in page, which the console leads to, and comes back to the console. */
export const signInAtTenant = async (page: Page, tenant: Tenant, email = tenant.owner, password = PASSWORD) => {
	await page.goto(`${tenant.origin}/console`);
	await page.locator('input[name="email"]').fill(email);
	await page.locator('input[name="password"]').fill(password);
	await page.locator('form:has(input[name="password"]) button[type="submit"]').click();
	await page.waitForURL(`${tenant.origin}/console/**`);
};

/** The operator of the run, created by a command of the service. */
export const OPERATOR = "ada@operators.example";

/** Sends the form of the console with the operator's password. */
export const sendPassword = async (page: Page, { platform }: World, password: string): Promise<void> => {
	await page.goto(`${platform}/console`);
	await page.getByLabel("Email").fill(OPERATOR);
	await page.getByLabel("Password").fill(password);
	await page.getByRole("button", { name: "Sign in" }).click();
};

/** Signs the operator in with the form of the console. */
export const signInAtPlatform = async (page: Page, world: World, password: string): Promise<void> => {
	await sendPassword(page, world, password);
	await page.getByRole("heading", { name: "Overview" }).waitFor();
};
