import type { Page } from "playwright-core";
import { codeFor } from "../../enroll.ts";
import type { Walk } from "../../journey.ts";
import { cookieOf, PASSWORD, type World } from "../../world.ts";
import { goTo, hear } from "./console-page.ts";

const EMAIL = "sam@acme.example";

/** Creates a member with an authenticator app, who is signed in. Returns the cookie of the session. */
const createMember = async ({ acme, operate, call, signIn }: World): Promise<string> => {
	await operate("/tenant/user/create", { tenantId: acme.id, email: EMAIL, name: "Sam Second", password: PASSWORD });
	const { cookie } = await signIn(acme, EMAIL);
	const enabled = await call(acme, "/two-factor/enable", { body: { password: PASSWORD }, headers: { cookie } });
	const { totpURI } = (await enabled.json()) as { totpURI: string };
	const code = await codeFor(new URL(totpURI).searchParams.get("secret") ?? "");
	const verified = await call(acme, "/two-factor/verify-totp", { body: { code }, headers: { cookie } });
	if (!verified.ok) throw new Error(`the second factor was not set up: ${await verified.text()}`);
	return cookieOf(verified);
};

/** A member lost their phone: ends their sessions, resets the second factor, and removes them when they leave. */
export const helpAndRemove = async ({ world, look, wrong }: Walk, page: Page): Promise<void> => {
	const { acme, call, read, signIn } = world;
	const cookie = await createMember(world);
	const isSignedIn = async (): Promise<boolean> =>
		(await (await call(acme, "/get-session", { headers: { cookie } })).json()) !== null;
	if (!(await isSignedIn())) wrong("the member is not signed in");
	const dialog = page.getByRole("dialog");
	await page.goto(`${acme.origin}/console/tenant/${acme.id}/users`);
	await page.getByRole("link", { name: "Sam Second" }).click();
	await page.getByRole("heading", { level: 1, name: "Sam Second" }).waitFor();
	await page.getByRole("button", { name: "End all" }).click();
	await dialog.getByRole("button", { name: "End all sessions" }).click();
	await hear(page, `${EMAIL} is signed out everywhere`);
	await hear(page, "The user is not signed in anywhere");
	if (await isSignedIn()) wrong("a session that an owner ended still works");

	if (!(await signIn(acme, EMAIL)).isCodeAsked) wrong("the second factor is not asked for");
	await page.getByRole("button", { name: "Reset" }).click();
	await look(page, "tenant reset second factor");
	await dialog.getByRole("button", { name: "Reset second factor" }).click();
	await hear(page, "The user has no second factor");
	if ((await signIn(acme, EMAIL)).isCodeAsked) wrong("the second factor is asked for after its reset");

	await page.getByRole("button", { name: "Actions" }).click();
	await page.getByRole("menuitem", { name: "Remove" }).click();
	await look(page, "tenant remove");
	await dialog.getByRole("button", { name: "Remove user" }).click();
	await hear(page, `${EMAIL} was removed`);
	await page.waitForURL("**/users");
	const users = JSON.stringify(await read(`/tenant/user/list?tenantId=${acme.id}`));
	if (users.includes(EMAIL)) wrong("the removed user exists");
	await goTo(page, "Users");
};
