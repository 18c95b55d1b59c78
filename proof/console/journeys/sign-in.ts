import type { Journey } from "../journey.ts";
import { signInAtTenant } from "../sign-in.ts";
import { PASSWORD } from "../world.ts";

/** An owner comes to the console by the tenant's own sign-in page, and is nobody at the neighbor's. */
export const signInJourney: Journey = {
	name: "sign in",
	walk: async ({ world: { acme, globex, platform }, open, look, wrong }) => {
		const page = await open(acme.origin);
		await page.goto(`${acme.origin}/console/account?unknown=1`);
		await page.waitForURL(`${acme.origin}/sign-in?**`);
		const returnTo = new URL(page.url()).searchParams.get("returnTo");
		if (!returnTo?.startsWith("/console/account")) wrong(`the sign-in page returns to ${returnTo}`);
		await signInAtTenant(page, acme);
		await page.getByRole("navigation", { name: "Pages" }).waitFor();

		const stranger = await open(globex.origin);
		await stranger.goto(`${globex.origin}/console`);
		await stranger.locator('input[name="email"]').fill(acme.owner);
		await stranger.locator('input[name="password"]').fill(PASSWORD);
		const refused = stranger.waitForResponse((answer) => answer.request().method() === "POST");
		await stranger.locator('form:has(input[name="password"]) button[type="submit"]').click();
		if ((await refused).ok()) wrong("Globex accepted an owner of Acme");
		await stranger.goto(`${globex.origin}/console`);
		await stranger.waitForURL(`${globex.origin}/sign-in?**`);
		if (await stranger.getByRole("navigation", { name: "Pages" }).count())
			wrong("an owner of Acme signed in at Globex");

		const other = await open(platform);
		await other.goto(`${platform}/console/tenants?status=suspended`);
		await other.getByRole("heading", { name: "Sign in to the console" }).waitFor();
		await look(other, "sign-in");
		await other.getByLabel("Email").fill(acme.owner);
		await other.getByLabel("Password").fill(PASSWORD);
		await other.getByRole("button", { name: "Sign in" }).click();
		await other.getByRole("alert").waitFor();
		await look(other, "sign-in refused");
	},
};
