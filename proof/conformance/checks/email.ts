import assert from "node:assert/strict";
import { type Checks, check } from "../check.ts";
import { destination, isRemembered, notStrings, ok, redirection, refused, signedInShape } from "../expect.ts";
import type { Browser } from "../http.ts";
import {
	askSignIn,
	askSignUp,
	createTenant,
	newMember,
	newPerson,
	type Place,
	sessionOf,
	type Tenant,
	twoTenants,
} from "../place.ts";
import { registerPlayed, signInAtProvider } from "../social.ts";

const image = "https://images.example.com/person.png";

/** Another tenant reads no session from the cookie, and refuses everything that needs one. */
const assertNoSessionIn = async (place: Place, browser: Browser, { id }: Tenant): Promise<void> => {
	const headers = { [place.tenantHeader]: id };
	assert.equal(await sessionOf(browser, { headers }), null);
	refused(await browser.get("/list-sessions", { headers }));
};

export const emailChecks = {
	"U-1": check("signs up with name, email and password, then reads the user of the session", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const { browser, person } = await newMember(standard, tenant);
		const user = (await sessionOf(browser))?.user;
		assert.deepEqual({ name: user?.name, email: user?.email }, { name: person.name, email: person.email });
		ok(await askSignIn(standard.visitor(), tenant, person), signedInShape);
	}),
	"U-2": check("signs up with and without an image", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const pictured = ok(await askSignUp(standard.visitor(), tenant, newPerson(), { image }), signedInShape);
		assert.equal(pictured.user.image, image);
		const { user } = await newMember(standard, tenant);
		assert.equal(user.image ?? null, null);
	}),
	"U-3": check(
		"signs in, reads the session's tenant and presents the session to the other tenant",
		async ({ standard }) => {
			const [tenant, neighbor] = await twoTenants(standard);
			const { person } = await newMember(standard, tenant);
			const browser = standard.visitor();
			ok(await askSignIn(browser, tenant, person), signedInShape);
			assert.equal((await sessionOf(browser))?.session.tenantId, tenant.id);
			await assertNoSessionIn(standard, browser, neighbor);
		},
	),
	"U-4": check("completes the OAuth flow and presents the session to the other tenant", async (world) => {
		const { standard } = world;
		const [tenant, neighbor] = await twoTenants(standard);
		await registerPlayed(world, standard, tenant);
		const { browser } = await signInAtProvider(world, standard, tenant);
		assert.equal((await sessionOf(browser))?.session.tenantId, tenant.id);
		await assertNoSessionIn(standard, browser, neighbor);
	}),
	"UP-1": check("signs up in one tenant; the account exists there and not in the other", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const { person, browser } = await newMember(standard, tenant);
		assert.equal((await sessionOf(browser))?.session.tenantId, tenant.id);
		ok(await askSignIn(standard.visitor(), tenant, person), signedInShape);
		refused(await askSignIn(standard.visitor(), neighbor, person));
	}),
	"UP-4": check("signs up with a name, without one and with values that are not strings", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		for (const name of notStrings) refused(await askSignUp(standard.visitor(), tenant, newPerson(), { name }));
		const { user } = await newMember(standard, tenant, { ...newPerson(), name: "Ada Lovelace" });
		assert.equal(user.name, "Ada Lovelace");
	}),
	"UP-5": check("signs up with an address, without one and with invalid values", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		for (const email of [...notStrings, "not an address"])
			refused(await askSignUp(standard.visitor(), tenant, newPerson(), { email }));
		const { user, person } = await newMember(standard, tenant);
		assert.equal(user.email, person.email);
	}),
	"UP-6": check("signs up without a password and with values that are not strings", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const person = newPerson();
		for (const password of [...notStrings, ""])
			refused(await askSignUp(standard.visitor(), tenant, person, { password }));
		await newMember(standard, tenant, person);
	}),
	"UP-7": check("signs up with an image and reads it from the session's user", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const browser = standard.visitor();
		ok(await askSignUp(browser, tenant, newPerson(), { image }), signedInShape);
		assert.equal((await sessionOf(browser))?.user.image, image);
		await newMember(standard, tenant);
	}),
	"UP-8": check(
		"follows the link of the verification mail to the callback URL, in the same browser and in another",
		async (world) => {
			const place = world.at("verification");
			const [tenant, neighbor] = await twoTenants(place);
			const callbackURL = `${place.origin}/verified`;
			const verify = async (isSame: boolean) => {
				const person = newPerson();
				const browser = place.visitor();
				assert.equal((await askSignUp(browser, tenant, person, { callbackURL })).status, 200);
				refused(await askSignIn(place.visitor(), tenant, person));
				const mail = await world.mailTo(person.email);
				const opening = isSame ? browser : place.visitor();
				assert.equal(redirection(await opening.visit(mail.url), place.base).href, callbackURL);
				return person;
			};
			const person = await verify(true);
			ok(await askSignIn(place.visitor(), tenant, person), signedInShape);
			refused(await askSignIn(place.visitor(), neighbor, person));
			// somebody else may have signed up, and would still know the password
			refused(await askSignIn(place.visitor(), tenant, await verify(false)));
		},
	),
	"UP-9": check("signs up with rememberMe true, false, absent and not a boolean", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const signUp = (fields: Record<string, unknown>) => askSignUp(standard.visitor(), tenant, newPerson(), fields);
		assert.equal(isRemembered(await signUp({ rememberMe: true })), true);
		assert.equal(isRemembered(await signUp({ rememberMe: false })), false);
		ok(await signUp({}), signedInShape);
		refused(await signUp({ rememberMe: "sometimes" }));
	}),
	"UP-10": check("signs up without rememberMe and reads how long the cookie lives", async ({ standard }) => {
		const answer = await askSignUp(standard.visitor(), await createTenant(standard), newPerson());
		assert.equal(isRemembered(answer), true);
	}),
	"UP-11": check("reads user and session from the response of a sign-up", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const person = newPerson();
		const { user, session } = ok(await askSignUp(standard.visitor(), tenant, person), signedInShape);
		assert.equal(user.email, person.email);
		assert.deepEqual([session.userId, session.tenantId], [user.id, tenant.id]);
	}),
	"IN-1": check("signs in where the user has an account, and is refused elsewhere", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const { person, user } = await newMember(standard, tenant);
		assert.equal(ok(await askSignIn(standard.visitor(), tenant, person), signedInShape).user.id, user.id);
		refused(await askSignIn(standard.visitor(), neighbor, person));
	}),
	"IN-3": check("signs in without an address and with invalid values", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const { person } = await newMember(standard, tenant);
		for (const email of notStrings) refused(await askSignIn(standard.visitor(), tenant, person, { email }));
	}),
	"IN-4": check("signs in without a password and with values that are not strings", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const { person } = await newMember(standard, tenant);
		for (const password of notStrings) refused(await askSignIn(standard.visitor(), tenant, person, { password }));
	}),
	"IN-5": check("signs in with and without a callback URL and reads where the response leads", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const { person } = await newMember(standard, tenant);
		const callbackURL = `${standard.origin}/after-sign-in`;
		const answer = await askSignIn(standard.visitor(), tenant, person, { callbackURL });
		assert.equal(destination(answer, standard.base).href, callbackURL);
		const plain = await askSignIn(standard.visitor(), tenant, person);
		assert.equal(plain.headers.get("location"), null);
	}),
	"IN-6": check("signs in with rememberMe true, false, absent and not a boolean", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const { person } = await newMember(standard, tenant);
		const signIn = (fields: Record<string, unknown>) => askSignIn(standard.visitor(), tenant, person, fields);
		assert.equal(isRemembered(await signIn({ rememberMe: true })), true);
		assert.equal(isRemembered(await signIn({ rememberMe: false })), false);
		ok(await signIn({}), signedInShape);
		refused(await signIn({ rememberMe: "sometimes" }));
	}),
	"IN-7": check("signs in without rememberMe and reads how long the cookie lives", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const { person } = await newMember(standard, tenant);
		assert.equal(isRemembered(await askSignIn(standard.visitor(), tenant, person)), true);
	}),
	"IN-8": check("reads user and session from the response of a sign-in", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const { person } = await newMember(standard, tenant);
		const { user, session } = ok(await askSignIn(standard.visitor(), tenant, person), signedInShape);
		assert.equal(user.email, person.email);
		assert.deepEqual([session.userId, session.tenantId], [user.id, tenant.id]);
	}),
	"A-3": check(
		"signs in with a wrong password, the same email's password from another tenant, and an unknown address",
		async ({ standard }) => {
			const [tenant, neighbor] = await twoTenants(standard);
			const { person } = await newMember(standard, tenant);
			const namesake = { ...person, password: newPerson().password };
			await newMember(standard, neighbor, namesake);
			refused(await askSignIn(standard.visitor(), tenant, namesake));
			refused(await askSignIn(standard.visitor(), tenant, person, { password: "another password" }));
			refused(await askSignIn(standard.visitor(), tenant, newPerson()));
			ok(await askSignIn(standard.visitor(), tenant, person), signedInShape);
		},
	),
	"A-5": check("signs in to two tenants and reads both sessions", async ({ standard }) => {
		const person = newPerson();
		for (const tenant of await twoTenants(standard)) {
			await newMember(standard, tenant, person);
			const browser = standard.visitor();
			ok(await askSignIn(browser, tenant, person), signedInShape);
			assert.equal((await sessionOf(browser))?.session.tenantId, tenant.id);
		}
	}),
	"L-1": check(
		"compares the cookie of a sign-up without rememberMe with one that sets it to true",
		async ({ standard }) => {
			const [tenant] = await twoTenants(standard);
			const silent = await askSignUp(standard.visitor(), tenant, newPerson());
			const explicit = await askSignUp(standard.visitor(), tenant, newPerson(), { rememberMe: true });
			assert.equal(isRemembered(silent), isRemembered(explicit));
		},
	),
	"L-2": check(
		"compares the cookie of a sign-in without rememberMe with one that sets it to true",
		async ({ standard }) => {
			const [tenant] = await twoTenants(standard);
			const { person } = await newMember(standard, tenant);
			const silent = await askSignIn(standard.visitor(), tenant, person);
			const explicit = await askSignIn(standard.visitor(), tenant, person, { rememberMe: true });
			assert.equal(isRemembered(silent), isRemembered(explicit));
		},
	),
} satisfies Checks;
