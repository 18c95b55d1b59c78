import assert from "node:assert/strict";
import { type Checks, check } from "../check.ts";
import { codeOf, ok, redirection, refused, signedInShape } from "../expect.ts";
import type { Answer, Ask } from "../http.ts";
import {
	askSignIn,
	askSignUp,
	deleteConfig,
	getTenant,
	listConfigs,
	newMember,
	newPerson,
	registerConfig,
	sessionOf,
	twoTenants,
} from "../place.ts";
import { callbackOf, goToProvider, registerPlayed, signInAtProvider } from "../social.ts";

export const isolationChecks = {
	// threat 1
	"D-1": check("signs one address up in two tenants with two passwords", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const here = await newMember(standard, tenant);
		const there = await newMember(standard, neighbor, { ...here.person, password: newPerson().password });
		assert.notEqual(here.user.id, there.user.id);
		ok(await askSignIn(standard.visitor(), tenant, here.person), signedInShape);
		ok(await askSignIn(standard.visitor(), neighbor, there.person), signedInShape);
		refused(await askSignIn(standard.visitor(), tenant, there.person));
		refused(await askSignIn(standard.visitor(), neighbor, here.person));
	}),
	// threat 7
	"D-2": check("completes the OAuth flow of one provider account in two tenants", async (world) => {
		const { standard } = world;
		const [tenant, neighbor] = await twoTenants(standard);
		for (const owner of [tenant, neighbor]) await registerPlayed(world, standard, owner);
		const { browser, identity } = await signInAtProvider(world, standard, tenant);
		const other = await signInAtProvider(world, standard, neighbor, { identity });
		const [here, there] = [await sessionOf(browser), await sessionOf(other.browser)];
		assert.ok(here && there);
		assert.equal(here.user.email, there.user.email);
		assert.notEqual(here.user.id, there.user.id);
	}),
	// threat 52
	"D-3": check("compares a tenant's responses about an address that only another tenant has", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const { person } = await newMember(standard, neighbor);
		const known = await askSignIn(standard.visitor(), tenant, person);
		const unknown = await askSignIn(standard.visitor(), tenant, newPerson());
		assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
		ok(await askSignUp(standard.visitor(), tenant, person), signedInShape);
	}),
	"D-4": check(
		"signs a tenant's user in at the platform, and a platform user in at the tenant",
		async ({ standard }) => {
			const [tenant] = await twoTenants(standard);
			const { person } = await newMember(standard, tenant);
			const { email, password } = person;
			refused(await standard.visitor().post("/sign-in/email", { body: { email, password } }));
			const outsider = newPerson();
			const signedUp = await standard.visitor().post("/sign-up/email", { body: outsider });
			assert.equal(signedUp.status, 200, signedUp.text);
			refused(await askSignIn(standard.visitor(), tenant, outsider));
		},
	),
	"D-5": check("reads the session and updates the user with only the cookie", async ({ standard }) => {
		const person = newPerson();
		for (const tenant of await twoTenants(standard)) {
			const { browser, user } = await newMember(standard, tenant, person);
			assert.equal((await browser.post("/update-user", { body: { name: `Of ${tenant.slug}` } })).status, 200);
			const signedIn = await sessionOf(browser);
			const { id, name } = signedIn?.user ?? {};
			assert.deepEqual([signedIn?.session.tenantId, id, name], [tenant.id, user.id, `Of ${tenant.slug}`]);
		}
	}),
	// threat 30
	"D-6": check("presents a live session with the other tenant in header, query and body", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const { browser } = await newMember(standard, tenant);
		const hints: Ask[] = [{ headers: { [standard.tenantHeader]: neighbor.id } }, { query: { tenantId: neighbor.id } }];
		for (const hint of hints) {
			refused(await browser.get("/list-sessions", hint), 403, "SESSION_TENANT_MISMATCH");
			const seen = await browser.get("/get-session", hint);
			assert.deepEqual([seen.status, seen.text], [200, "null"]);
		}
		const renaming = { body: { name: "Moved", tenantId: neighbor.id } };
		refused(await browser.post("/update-user", renaming), 403, "SESSION_TENANT_MISMATCH");
		assert.notEqual((await sessionOf(browser))?.user.name, "Moved");
	}),
	"D-7": check("signs in to a second tenant in one browser", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const { person } = await newMember(standard, neighbor);
		const { browser } = await newMember(standard, tenant);
		ok(await askSignIn(browser, neighbor, person), signedInShape);
		assert.equal((await sessionOf(browser))?.session.tenantId, neighbor.id);
	}),
	"D-8": check("manages one tenant while the header names another", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const headers = { [standard.tenantHeader]: neighbor.id };
		const renaming = { body: { tenantId: tenant.id, name: "Target" }, headers };
		assert.equal((await standard.operator.post("/tenant/update", renaming)).status, 200);
		assert.ok((await getTenant(standard, { id: neighbor.id })).text.includes(neighbor.name));
		assert.ok((await getTenant(standard, { id: tenant.id })).text.includes("Target"));
	}),
	// threat 32
	"D-9": check("names tenants by array, object, duplicate parameter and joined header", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const ask = (extra: Ask, path = "/tenant/sign-up/email") =>
			standard.visitor().post(path, { ...extra, body: { ...newPerson(), ...Object(extra.body) } });
		const twice = `/tenant/sign-up/email?tenantId=${tenant.id}&tenantId=${neighbor.id}`;
		const answers = [
			await ask({ body: { tenantId: [tenant.id] } }),
			await ask({ body: { tenantId: { id: tenant.id } } }),
			await ask({}, twice),
			await ask({ headers: { [standard.tenantHeader]: `${tenant.id}, ${neighbor.id}` } }),
		];
		for (const answer of answers) refused(answer, 400);
	}),
	// threat 49
	"D-10": check("deletes a config that only another tenant has, and a missing one", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		await registerConfig(standard, neighbor);
		const foreign = await deleteConfig(standard, tenant, "github");
		const missing = await deleteConfig(standard, tenant, "discord");
		assert.deepEqual([foreign.status, foreign.text], [missing.status, missing.text]);
		assert.equal(codeOf(foreign), "OAUTH_CONFIG_NOT_FOUND");
		assert.equal((await listConfigs(standard, neighbor)).length, 1);
	}),
	// threats 14, 15 and 17
	"D-11": check("uses a state five times at once, at another provider and in another browser", async (world) => {
		const { standard } = world;
		const [tenant] = await twoTenants(standard);
		const idp = world.identityProvider();
		const redeemed = (id: string) => idp.tokenRequests.filter((request) => request.clientId === id).length;
		const errorOf = (answer: Answer) => redirection(answer, standard.base).searchParams.get("error");
		const { clientId } = await registerPlayed(world, standard, tenant);
		const other = await registerConfig(standard, tenant, { providerId: "microsoft", options: idp.microsoft });

		const raced = await goToProvider(world, standard, tenant);
		const answers = await Promise.all(Array.from({ length: 5 }, () => raced.browser.visit(raced.arrival)));
		assert.equal(answers.filter((answer) => errorOf(answer) === null).length, 1);
		assert.equal(redeemed(clientId), 1, "one state redeemed a code more than once");

		const moved = await goToProvider(world, standard, tenant);
		assert.ok(errorOf(await moved.browser.visit(callbackOf(standard, "microsoft") + new URL(moved.arrival).search)));
		assert.equal(redeemed(other.clientId), 0, "a code of one provider was sent to another");

		const stolen = await goToProvider(world, standard, tenant);
		const thief = standard.visitor();
		assert.ok(errorOf(await thief.visit(stolen.arrival)));
		assert.equal(redeemed(clientId), 1, "a code was redeemed for a browser that did not start the flow");
		for (const browser of [moved.browser, thief]) assert.equal(await sessionOf(browser), null);
	}),
} satisfies Checks;
