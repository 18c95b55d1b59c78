import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { eventually, ok, refused, signedInShape, tenantShape } from "../expect.ts";
import type { Open } from "../http.ts";
import {
	askRegister,
	askSignIn,
	askSignUp,
	createTenant,
	deleteTenant,
	everyTenant,
	getTenant,
	listConfigs,
	newCredentials,
	newMember,
	newPerson,
	newSlug,
	type Place,
	registerConfig,
	sessionOf,
	twoTenants,
} from "../place.ts";
import { registerPlayed, signInAtProvider, startSocial, UNCONFIGURED } from "../social.ts";

const posts = [
	"/tenant/create",
	"/tenant/update",
	"/tenant/delete",
	"/tenant/sign-up/email",
	"/tenant/sign-in/email",
	"/tenant/oauth-config/register",
	"/tenant/oauth-config/delete",
	"/tenant/sign-in/social",
];
const gets = ["/tenant/get", "/tenant/list", "/tenant/oauth-config/list", "/tenant/callback/github"];

/** Calls every endpoint without input: a mounted one responds with more than "no such route". */
const everyEndpoint = (open: Open, base: string) => {
	const browser = open(base);
	return Promise.all([
		...posts.map((path) => browser.post(path, { body: {} })),
		...gets.map((path) => browser.get(path)),
	]);
};

const assertMounted = async (place: Place) => {
	for (const answer of await everyEndpoint(place.open, place.base)) {
		assert.notEqual(answer.status, 404, `${answer.request} is not mounted`);
		assert.ok(answer.status < 500, `${answer.request} answered ${answer.status}`);
	}
};

export const serviceChecks = {
	"S-1": check("calls all twelve endpoints below the base path, and at the origin", async ({ standard }) => {
		await assertMounted(standard);
		for (const answer of await everyEndpoint(standard.open, standard.origin))
			assert.notEqual(answer.status, 200, `${answer.request} responds outside of the base path`);
	}),
	"S-2": check("creates, gets, lists, updates and deletes a tenant", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		assert.equal(ok(await getTenant(standard, { id: tenant.id }), tenantShape).slug, tenant.slug);
		const listed = (await everyTenant(standard)).map((one) => one.id);
		assert.ok(listed.includes(tenant.id) && listed.includes(neighbor.id), "a created tenant is not listed");
		const renaming = { tenantId: tenant.id, name: "Renamed" };
		assert.equal(ok(await standard.operator.post("/tenant/update", { body: renaming }), tenantShape).name, "Renamed");
		assert.equal((await deleteTenant(standard, tenant)).status, 200);
		await eventually(async () => refused(await getTenant(standard, { id: tenant.id })));
		assert.equal(ok(await getTenant(standard, { id: neighbor.id }), tenantShape).name, neighbor.name);
	}),
	"S-3": check(
		"deletes a tenant and finds neither its user nor its config when its slug is reused",
		async ({ standard }) => {
			const [tenant, neighbor] = await twoTenants(standard);
			const member = await newMember(standard, tenant);
			const other = await newMember(standard, neighbor, member.person);
			await registerConfig(standard, tenant);
			await registerConfig(standard, neighbor);
			assert.equal((await deleteTenant(standard, tenant)).status, 200);
			await eventually(async () => refused(await askSignIn(standard.visitor(), tenant, member.person)));
			let heir = tenant;
			await eventually(async () => {
				heir = await createTenant(standard, { slug: tenant.slug });
			});
			refused(await askSignIn(standard.visitor(), heir, member.person));
			assert.deepEqual(await listConfigs(standard, heir), []);
			assert.equal((await sessionOf(other.browser))?.user.id, other.user.id);
			assert.equal((await listConfigs(standard, neighbor)).length, 1);
		},
	),
	"S-4": check("signs a user up and in, and finds no such user in the other tenant", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const person = newPerson();
		const signedUp = ok(await askSignUp(standard.visitor(), tenant, person), signedInShape);
		const signedIn = ok(await askSignIn(standard.visitor(), tenant, person), signedInShape);
		assert.equal(signedIn.user.id, signedUp.user.id);
		refused(await askSignIn(standard.visitor(), neighbor, person));
	}),
	"S-5": check("registers two tenants' credentials and sees each in its own sign-in", async ({ standard }) => {
		for (const tenant of await twoTenants(standard)) {
			const { clientId } = await registerConfig(standard, tenant);
			const url = await startSocial(standard, standard.visitor(), tenant);
			assert.equal(url.searchParams.get("client_id"), clientId);
		}
	}),
	"S-6": check(
		"starts at the global provider for a tenant without config and one with a disabled one",
		async (world) => {
			const { standard } = world;
			const { id: provider, clientId } = world.globalProvider();
			const [without, disabled] = await twoTenants(standard);
			await registerConfig(standard, disabled, { providerId: provider, enabled: false });
			for (const tenant of [without, disabled]) {
				const url = await startSocial(standard, standard.visitor(), tenant, { provider });
				assert.equal(url.searchParams.get("client_id"), clientId);
			}
		},
	),
	"S-7": check("completes the OAuth flow in two tenants and reads tenantId from each session", async (world) => {
		for (const tenant of await twoTenants(world.standard)) {
			await registerPlayed(world, world.standard, tenant);
			const { browser } = await signInAtProvider(world, world.standard, tenant);
			assert.equal((await sessionOf(browser))?.session.tenantId, tenant.id);
		}
	}),
	"S-8": check("registers configs for a built-in provider and for three that are not", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await registerConfig(standard, tenant, { providerId: "discord" });
		for (const providerId of ["acme-login", "credential", "__proto__"])
			refused(await askRegister(standard, tenant, { providerId, ...newCredentials() }));
		assert.deepEqual(
			(await listConfigs(standard, tenant)).map((config) => config.providerId),
			["discord"],
		);
	}),
	"S-9": check("registers two providers and starts each by its id", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		for (const [providerId, host] of [
			["github", "github.com"],
			["discord", "discord.com"],
		] as const) {
			const { clientId } = await registerConfig(standard, tenant, { providerId });
			const url = await startSocial(standard, standard.visitor(), tenant, { provider: providerId });
			assert.equal(url.hostname, host);
			assert.equal(url.searchParams.get("client_id"), clientId);
		}
	}),
	"S-11": check("uses a server whose only plugin is tenantAuth()", async (world) => {
		const bare = world.at("bare");
		await assertMounted(bare);
		const [tenant] = await twoTenants(world.standard);
		const { user } = await newMember(bare, tenant);
		assert.ok(user.id);
	}),
	"E-1": check("calls all endpoints of a server with another base path, and below the default one", async (world) => {
		const moved = world.at("basePath");
		await assertMounted(moved);
		await newMember(moved, await createTenant(moved));
		const usual = moved.origin + new URL(world.standard.base).pathname;
		for (const answer of await everyEndpoint(moved.open, usual))
			assert.notEqual(answer.status, 200, `${answer.request} responds outside of the base path`);
	}),
	"E-2": check("sends the same tenant as JSON, as text and as broken JSON", async ({ standard }) => {
		const tenant = { name: "As JSON", slug: newSlug() };
		const send = (type: string, text: string) =>
			standard.operator.post("/tenant/create", { headers: { "content-type": type }, text });
		refused(await send("text/plain", JSON.stringify(tenant)));
		refused(await send("application/json", JSON.stringify(tenant).slice(0, -1)));
		refused(await getTenant(standard, { slug: tenant.slug }));
		assert.equal((await createTenant(standard, tenant)).slug, tenant.slug);
	}),
	"E-3": check("reads the content type of success and error responses of every endpoint", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const person = newPerson();
		const { answer: registered } = await registerConfig(standard, tenant);
		const answers = [
			registered,
			await getTenant(standard, { id: tenant.id }),
			await standard.operator.get("/tenant/list"),
			await standard.operator.post("/tenant/update", { body: { tenantId: tenant.id, name: "New" } }),
			await askSignUp(standard.visitor(), tenant, person),
			await askSignIn(standard.visitor(), tenant, person),
			await standard.operator.get("/tenant/oauth-config/list", { query: { tenantId: tenant.id } }),
			await standard
				.visitor()
				.post("/tenant/sign-in/social", { body: { tenantId: tenant.id, provider: UNCONFIGURED } }),
			await standard.operator.post("/tenant/oauth-config/delete", {
				body: { tenantId: tenant.id, providerId: "github" },
			}),
			await deleteTenant(standard, tenant),
			...(await everyEndpoint(standard.open, standard.base)).filter((answer) => answer.status >= 400),
		];
		for (const answer of answers) {
			assert.match(answer.headers.get("content-type") ?? "", /^application\/json/, answer.request);
			assert.ok(z.unknown().safeParse(answer.json).success && answer.json !== undefined, answer.request);
		}
	}),
} satisfies Checks;
