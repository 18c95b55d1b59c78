import type { WalkWith } from "./states.ts";
import { PASSWORD } from "./visitor.ts";

/** Walks through what a tenant's policy changes: a second factor that has to be set up, and no method at all. */
export const walkPolicies = async ({ visitor, tenant, world, look, email }: WalkWith): Promise<void> => {
	const { page, open, fill, send } = visitor;
	const setPolicy = (policy: object) => world.setPolicy(tenant, policy);
	const owner = email.replace("ada", "olivia");
	await setPolicy({ secondFactor: "required" });
	await visitor.signIn(owner);
	await look("set-up-two-factor");
	await fill({ password: "wrong password" });
	await send();
	await look("set-up-two-factor-wrong");
	await fill({ password: PASSWORD });
	await send();
	await look("set-up-two-factor-key");
	await fill({ code: "000000" });
	await send();
	await look("set-up-two-factor-code");
	await setPolicy({ secondFactor: null, methods: ["sso"] });
	await page.context().clearCookies();
	await open("/sign-in");
	await look("sign-in-none");
	await open(await world.invite(tenant, email.replace("ada", "bob"), "member"));
	await look("accept-invitation-none");
	await setPolicy({ methods: null });
};
