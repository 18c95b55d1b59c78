import assert from "node:assert/strict";
import { type Checks, check, type World } from "../check.ts";
import { eventually, refused } from "../expect.ts";
import type { Browser } from "../http.ts";
import {
	askRegister,
	askSignIn,
	askSignUp,
	createTenant,
	deleteTenant,
	getTenant,
	newCredentials,
	newMember,
	newPerson,
	type Place,
	registerConfig,
	sessionOf,
	twoTenants,
} from "../place.ts";
import { startSocial } from "../social.ts";
import { type Managed, managed, wrongKey } from "./management.ts";

const endpoints = Object.keys(managed) as Managed[];

/** A signed-in platform user. The variant "operators" gives the role admin to addresses of operators.example. */
const platformUser = async (place: Place, domain: string) => {
	const browser = place.visitor();
	const person = newPerson();
	const answer = await browser.post("/sign-up/email", {
		body: { ...person, email: person.email.replace("example.com", domain) },
	});
	assert.equal(answer.status, 200, answer.text);
	return browser;
};

/** Whether the caller may manage a tenant fully, or not at all. */
const assertManages = async (world: World, browser: Browser, allowed: boolean) => {
	const tenant = await createTenant(world.standard);
	await registerConfig(world.standard, tenant);
	const inOrder = [...endpoints.filter((endpoint) => endpoint !== "delete"), "delete"] as Managed[];
	for (const endpoint of inOrder) {
		const answer = await managed[endpoint](browser, tenant);
		if (allowed) assert.equal(answer.status, 200, `${endpoint}: ${answer.text}`);
		else refused(answer, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	}
};

export const choiceChecks = {
	"D-34": check("calls all management endpoints without a credential", async ({ standard }) => {
		const tenant = await createTenant(standard);
		for (const endpoint of endpoints)
			refused(await managed[endpoint](standard.visitor(), tenant), 401, "TENANT_MANAGEMENT_UNAUTHORIZED");
	}),
	"D-35": check(
		"calls all management endpoints with a wrong key, a tenant user's and a platform user's session",
		async (world) => {
			const { standard } = world;
			const { browser: member } = await newMember(standard, await createTenant(standard));
			const stranger = await platformUser(standard, "example.com");
			for (const by of [standard.visitor(wrongKey()), member, stranger]) await assertManages(world, by, false);
		},
	),
	"D-36": check("calls a server without management options, with key and session", async (world) => {
		const bare = world.at("bare");
		const tenant = await createTenant(world.standard);
		for (const by of [bare.operator, await platformUser(bare, "operators.example")])
			for (const endpoint of endpoints) refused(await managed[endpoint](by, tenant));
		assert.equal((await getTenant(world.standard, { id: tenant.id })).status, 200);
	}),
	"D-37": check(
		"manages as a platform user with the role admin, and as a tenant's user with that role",
		async (world) => {
			const place = world.at("operators");
			await assertManages(world, await platformUser(place, "operators.example"), true);
			const person = { ...newPerson(), email: `admin-${crypto.randomUUID()}@operators.example` };
			const { browser } = await newMember(place, await createTenant(world.standard), person);
			await assertManages(world, browser, false);
		},
	),
	"D-38": check("manages as a listed platform user, and as an unlisted one", async (world) => {
		const place = world.at("operators");
		const browser = place.visitor();
		const signedIn = await browser.post("/sign-in/email", { body: world.listedOperator() });
		assert.equal(signedIn.status, 200, signedIn.text);
		await assertManages(world, browser, true);
		await assertManages(world, await platformUser(place, "example.com"), false);
	}),
	// threat 49
	"D-39": check("reads configs as a user whom the function admits to their own tenant only", async (world) => {
		const place = world.at("operators");
		const [tenant, neighbor] = await twoTenants(world.standard);
		const person = { ...newPerson(), email: `${crypto.randomUUID()}@tenant-admins.example` };
		const { browser } = await newMember(place, tenant, person);
		assert.equal((await managed.listConfigs(browser, tenant)).status, 200);
		refused(await managed.listConfigs(browser, neighbor), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		refused(await managed.delete(browser, tenant), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	}),
	// threat 22
	"D-40": check(
		"registers redirect URIs of foreign origins and other schemes, and invalid URLs",
		async ({ standard }) => {
			const tenant = await createTenant(standard);
			const bad = ["https://evil.example/callback", "http://evil.example/callback", "javascript:alert(1)", "callback"];
			for (const redirectURI of bad) {
				const answer = await askRegister(standard, tenant, { providerId: "github", ...newCredentials(), redirectURI });
				refused(answer, 400, "INVALID_REDIRECT_URI");
			}
			await registerConfig(standard, tenant, { redirectURI: `${standard.origin}/own/callback` });
		},
	),
	"D-41": check(
		"registers an issuer, is redirected to it, and searches the response and the database for it",
		async (world) => {
			const { standard } = world;
			const tenant = await createTenant(standard);
			const options = { issuer: "https://git-for-conformance.example.com" };
			const { answer } = await registerConfig(standard, tenant, { providerId: "gitlab", options });
			const url = await startSocial(standard, standard.visitor(), tenant, { provider: "gitlab" });
			assert.equal(url.origin, options.issuer);
			assert.ok(!answer.text.includes(options.issuer));
			const rows = JSON.stringify(await world.inspect().rowsOf("tenantOauthConfig", tenant.id));
			assert.ok(!rows.includes("git-for-conformance"), "the options are stored in plain text");
		},
	),
	// threat 23
	"D-42": check("registers issuers on loopback, private, link-local and mapped addresses", async (world) => {
		const place = world.at("publicHosts");
		const tenant = await createTenant(place);
		const hosts = [
			"127.0.0.1:9",
			"10.0.0.1",
			"192.168.1.1",
			"169.254.169.254",
			"[::1]",
			"[::ffff:10.0.0.1]",
			"localhost",
		];
		for (const host of hosts) {
			const options = { issuer: `https://${host}` };
			refused(await askRegister(place, tenant, { providerId: "gitlab", ...newCredentials(), options }), 400);
		}
	}),
	"D-43": check("deletes a tenant and creates one with its slug", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		assert.equal((await deleteTenant(standard, tenant)).status, 200);
		await eventually(async () => assert.notEqual((await createTenant(standard, { slug: tenant.slug })).id, tenant.id));
		refused(await askSignUp(standard.visitor(), tenant, newPerson()), 404, "TENANT_NOT_FOUND");
		refused(await getTenant(standard, { id: tenant.id }), 404, "TENANT_NOT_FOUND");
	}),
	"D-44": check("deletes a tenant and uses a session of it and one of another tenant", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const ended = await newMember(standard, tenant);
		const kept = await newMember(standard, neighbor);
		assert.equal((await deleteTenant(standard, tenant)).status, 200);
		await eventually(async () => {
			const answer = await ended.browser.get("/get-session");
			assert.ok(answer.status >= 400 || answer.json === null, `the session is still valid: ${answer.text}`);
		});
		refused(await askSignIn(standard.visitor(), tenant, ended.person));
		assert.equal((await sessionOf(kept.browser))?.user.id, kept.user.id);
	}),
} satisfies Checks;
