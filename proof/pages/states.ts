// cspell:ignore Bestätigen zurück
import { EMAIL, PASSWORD, type Visitor } from "./visitor.ts";
import type { Tenant, World } from "./world.ts";

/** Shows one page in one state, to be looked at. */
type Look = (name: string) => Promise<void>;

export type WalkWith = { visitor: Visitor; tenant: Tenant; world: World; look: Look; email: string };

/** Walks through every page and state, in the order in which a user meets them. */
export const walk = async ({ visitor, tenant, world, look, email }: WalkWith): Promise<void> => {
	const { page, open, follow, fill, send } = visitor;
	const skipChecks = () => page.evaluate(() => document.forms[0]?.setAttribute("novalidate", ""));

	await open("/sign-in");
	await look("sign-in");
	await fill({ email, password: "wrong password" });
	await send();
	await look("sign-in-wrong");
	await open("/sign-in?returnTo=https://evil.example&error=access_denied");
	await look("sign-in-cancelled");

	await open("/sign-up");
	await fill({ name: "Ada", email, password: "correct ho" });
	await look("sign-up");
	await skipChecks();
	await fill({ password: "short" });
	await send();
	await look("sign-up-wrong");
	await fill({ password: PASSWORD });
	await send();
	await look("check-email");
	await open(await visitor.mailedLink(email, new RegExp(`(Confirm|Bestätigen).*${tenant.name}`)));
	await look("verified");
	await open("/verified?error=TOKEN_EXPIRED");
	await look("verified-failed");
	await open("/signed-in?returnTo=/account");
	await look("signed-in");
	const code = await visitor.enableSecondFactor();
	await open("/sign-out");
	await look("sign-out");
	await send();
	await look("signed-out");

	await visitor.signIn(email);
	await look("two-factor");
	await fill({ code: "000000" });
	await send();
	await look("two-factor-wrong");
	await follow("a[href*='step=backup']");
	await look("two-factor-backup");
	await Promise.all([page.waitForNavigation(), page.click("button[value=otp]")]);
	await look("two-factor-otp");
	await follow("a[href*='step=totp']");
	await fill({ code: await code() });
	await send();
	await page.waitForURL("**/signed-in");

	await visitor.signOut();

	// an OAuth client's visitor signs in with both factors and then decides
	const client = await world.registerClient(tenant);
	await open(visitor.authorizeURL(client));
	await fill({ email, password: PASSWORD });
	await send();
	await fill({ code: await code() });
	await Promise.all([page.waitForURL("**/consent?**"), page.click("form .button.primary")]);
	await look("consent");
	await Promise.all([page.waitForURL("https://shop.example.com/**"), page.click("button[value=yes]")]);
	await visitor.signOut();

	await open("/forgot-password");
	await look("forgot-password");
	await fill({ email });
	await send();
	await look("check-email-reset");
	await open(await visitor.mailedLink(email, /Reset|zurück/));
	await look("reset-password");
	await fill({ password: `${PASSWORD} new` });
	await send();
	await look("sign-in-changed");
	await open("/reset-password?error=INVALID_TOKEN");
	await look("reset-password-failed");

	await open("/email-link");
	await look("email-link");
	await open("/email-code");
	await look("email-code");
	await fill({ email });
	await send();
	await look("email-code-sent");
	await open("/passkey");
	await look("passkey");
};

/** The address of a walk: each has an account of its own, with the same address in both tenants. */
export const emailOf = (view: string): string => EMAIL.replace("@", `+${view}@`);
