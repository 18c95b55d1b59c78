import assert from "node:assert/strict";
import type { Browser, BrowserContext } from "playwright-core";
import { sendTo } from "./send-to.ts";
import { type Account, listed, openVisitor, photograph } from "./visitor.ts";

export type Addresses = { platform: string | null; acme: string; globex: string };
/** The tenants of the stored users with an email: one for each user. */
export type ReadTenants = (email: string) => Promise<string[]>;
export type Seen = { checks: string[] };

const PASSWORDS = { acme: "correct horse battery", globex: "another horse battery" };

/**
 * Signs the same email up at both tenants, with different passwords, and checks that they are two users everywhere: in the
 * pages, in the responses, and in the database.
 */
export const travel = async (
	browser: Browser,
	at: Addresses,
	given: { who: string; tenantsOf: ReadTenants; pictures: string | null },
): Promise<Seen> => {
	const checks: string[] = [];
	const ada = `ada-${given.who}@example.com`;
	const grace = `grace-${given.who}@example.com`;
	const account = (email: string, password: string): Account => ({
		name: email === ada ? "Ada" : "Grace",
		email,
		password,
	});
	const contexts: BrowserContext[] = [];
	const newContext = async () => {
		const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, locale: "en-US" });
		context.setDefaultTimeout(60_000);
		contexts.push(context);
		return context;
	};
	try {
		const context = await newContext();
		const acme = await openVisitor(context, at.acme, "Acme");
		const globex = await openVisitor(context, at.globex, "Globex");

		await acme.seesSignIn();
		await photograph(acme.page, given.pictures, "sign-in");
		assert.equal(await acme.signUp(account(ada, PASSWORDS.acme)), null);
		const colleague = await openVisitor(await newContext(), at.acme, "Acme");
		assert.equal(await colleague.signUp(account(grace, PASSWORDS.acme)), null);
		checks.push("signs up at Acme");

		// the same browser, at the other host
		await globex.seesSignIn();
		const stolen = await sendTo(at.globex, "/api/auth/get-session", { cookie: await acme.sessionCookie() });
		assert.deepEqual([stolen.status, stolen.text], [200, "null"]);
		const own = await sendTo(at.acme, "/api/auth/get-session", { cookie: await acme.sessionCookie() });
		assert.match(own.text, new RegExp(ada));
		checks.push("Acme's session is nothing at Globex");

		// refused alike, whether another tenant has the email or nobody has
		const elsewhere = await globex.signIn(ada, PASSWORDS.acme);
		assert.ok(elsewhere);
		assert.equal(await globex.signIn(`nobody-${given.who}@example.com`, PASSWORDS.acme), elsewhere);
		await photograph(globex.page, given.pictures, "refused");
		assert.equal(await globex.signUp(account(ada, PASSWORDS.globex)), null);
		checks.push("the same email signs up at Globex, and nothing tells that Acme has it");

		const atAcme = await acme.users(ada);
		const atGlobex = await globex.users(ada);
		await photograph(globex.page, given.pictures, "home");
		const idIn = (users: typeof atAcme) => users.filter(({ email }) => email === ada).map(({ id }) => id);
		assert.equal(idIn(atAcme).length, 1);
		assert.equal(idIn(atGlobex).length, 1);
		assert.notEqual(idIn(atAcme)[0], idIn(atGlobex)[0]);
		assert.ok(atAcme.some(({ email }) => email === grace));
		assert.ok(!atGlobex.some(({ email }) => email === grace));
		const tenants = await given.tenantsOf(ada);
		assert.equal(tenants.length, 2);
		assert.equal(new Set(tenants).size, 2);
		checks.push("two users, each in the list of their tenant only, and two rows in the database");

		if (at.platform) {
			const page = await context.newPage();
			await page.goto(at.platform);
			for (const [name, users] of [
				["Acme", atAcme],
				["Globex", atGlobex],
			] as const) {
				const list = page.getByRole("region", { name, exact: true });
				await list.getByRole("listitem").first().waitFor();
				const shown = await listed(list);
				for (const user of users) assert.ok(shown.some(({ id, email }) => id === user.id && email === user.email));
			}
			await photograph(page, given.pictures, "overview");
			checks.push("the platform's page shows both");
		}

		await acme.signOut();
		assert.equal((await globex.users(ada)).length, atGlobex.length);
		checks.push("signing out of Acme leaves Globex");
		assert.equal(await acme.signIn(ada, PASSWORDS.globex), elsewhere);
		assert.equal(await acme.signIn(ada, PASSWORDS.acme), null);
		await globex.signOut();
		assert.equal(await globex.signIn(ada, PASSWORDS.acme), elsewhere);
		assert.equal(await globex.signIn(ada, PASSWORDS.globex), null);
		checks.push("each tenant takes its own password only");
		return { checks };
	} finally {
		for (const context of contexts) await context.close();
	}
};
