import assert from "node:assert/strict";
import { type Checks, check, NotObservable } from "../check.ts";
import { codeOf, destination, notStrings, redirection, refused } from "../expect.ts";
import { createTenant, deleteConfig, registerConfig, sessionOf, twoTenants } from "../place.ts";
import {
	askSocial,
	callbackOf,
	failedCallback,
	PLAYED,
	registerPlayed,
	signInAtProvider,
	startSocial,
	UNCONFIGURED,
} from "../social.ts";

export const socialChecks = {
	"SO-1": check(
		"starts a sign-in for two tenants: each is redirected to the provider with its own client",
		async ({ standard }) => {
			for (const tenant of await twoTenants(standard)) {
				const { clientId } = await registerConfig(standard, tenant);
				const { searchParams } = await startSocial(standard, standard.visitor(), tenant);
				assert.equal(searchParams.get("client_id"), clientId);
				assert.equal(searchParams.get("response_type"), "code");
				assert.ok(searchParams.get("state"));
			}
		},
	),
	"SO-3": check("starts with a provider id, without one and with values that are not strings", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await registerConfig(standard, tenant);
		for (const provider of notStrings) refused(await askSocial(standard.visitor(), tenant, { provider }));
		const url = await startSocial(standard, standard.visitor(), tenant, { provider: "github" });
		assert.equal(url.hostname, "github.com");
	}),
	"SO-4": check("completes flows with two callback URLs and starts one without", async (world) => {
		const { standard } = world;
		const tenant = await createTenant(standard);
		await registerPlayed(world, standard, tenant);
		for (const callbackURL of ["/first", `${standard.origin}/second`]) {
			const { answer } = await signInAtProvider(world, standard, tenant, { fields: { callbackURL } });
			assert.equal(redirection(answer, standard.base).href, new URL(callbackURL, standard.base).href);
		}
		const without = { provider: PLAYED, callbackURL: undefined };
		assert.ok((await startSocial(standard, standard.visitor(), tenant, without)).searchParams.get("state"));
	}),
	"SO-5": check("fails flows with two error URLs and with none", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await registerConfig(standard, tenant);
		const fail = async (errorCallbackURL?: string) => {
			const { answer } = await failedCallback(standard, tenant, { error: "access_denied" }, { errorCallbackURL });
			return redirection(answer, standard.base);
		};
		for (const errorCallbackURL of ["/first-error", `${standard.origin}/second-error`]) {
			const url = await fail(errorCallbackURL);
			assert.equal(url.origin + url.pathname, new URL(errorCallbackURL, standard.base).href);
		}
		assert.ok((await fail()).searchParams.get("error"));
	}),
	"SO-6": check("reads the URL that the response redirects the browser to", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await registerConfig(standard, tenant);
		const url = await startSocial(standard, standard.visitor(), tenant);
		assert.equal(url.origin + url.pathname, "https://github.com/login/oauth/authorize");
	}),
	"SO-7": check(
		"gives one tenant its own config for the global provider; the other keeps the global one",
		async (world) => {
			const { standard } = world;
			const { id: provider, clientId: globalId } = world.globalProvider();
			const [tenant, neighbor] = await twoTenants(standard);
			const { clientId } = await registerConfig(standard, tenant, { providerId: provider });
			const clientOf = async (owner: typeof tenant) =>
				(await startSocial(standard, standard.visitor(), owner, { provider })).searchParams.get("client_id");
			assert.equal(await clientOf(tenant), clientId);
			assert.equal(await clientOf(neighbor), globalId);
		},
	),
	"SO-8": check("disables a config, enables it again, and reads the client each time", async (world) => {
		const { standard } = world;
		const { id: provider, clientId: globalId } = world.globalProvider();
		const [tenant] = await twoTenants(standard);
		for (const enabled of [false, true, false]) {
			const { clientId } = await registerConfig(standard, tenant, { providerId: provider, enabled });
			const url = await startSocial(standard, standard.visitor(), tenant, { provider });
			assert.equal(url.searchParams.get("client_id"), enabled ? clientId : globalId);
		}
	}),
	"SO-9": check(
		"starts at the global provider before a config is registered and after it is deleted",
		async (world) => {
			const { standard } = world;
			const { id: provider, clientId: globalId } = world.globalProvider();
			const [tenant] = await twoTenants(standard);
			const assertGlobal = async () => {
				const url = await startSocial(standard, standard.visitor(), tenant, { provider });
				assert.equal(url.searchParams.get("client_id"), globalId);
			};
			await assertGlobal();
			await registerConfig(standard, tenant, { providerId: provider });
			assert.equal((await deleteConfig(standard, tenant, provider)).status, 200);
			await assertGlobal();
		},
	),
	"SO-10": check(
		"starts without a config and with a disabled one, where the application has no global provider",
		async (world) => {
			const place = world.at("withoutGlobal");
			const [without, disabled] = await twoTenants(place);
			await registerConfig(place, disabled, { enabled: false });
			for (const provider of ["github", PLAYED, UNCONFIGURED]) {
				for (const tenant of [without, disabled]) {
					const answer = await askSocial(place.visitor(), tenant, { provider });
					refused(answer);
					assert.equal(codeOf(answer), "PROVIDER_NOT_FOUND");
				}
			}
		},
	),
	"CB-1": check("reads the redirect URI of two providers, and completes one flow at it", async (world) => {
		const { standard } = world;
		const [tenant, neighbor] = await twoTenants(standard);
		for (const provider of ["github", "discord"]) {
			await registerConfig(standard, tenant, { providerId: provider });
			const url = await startSocial(standard, standard.visitor(), tenant, { provider });
			assert.equal(url.searchParams.get("redirect_uri"), callbackOf(standard, provider));
		}
		if (!world.globalProvider().isPlayed) throw new NotObservable("needs a global provider that the run can imitate");
		const { arrival, browser } = await signInAtProvider(world, standard, neighbor);
		assert.ok(arrival.startsWith(`${callbackOf(standard, PLAYED)}?`));
		assert.ok(await sessionOf(browser));
	}),
	"CB-2": check("completes a flow without a config and reads which client requested the token", async (world) => {
		const { standard } = world;
		const { clientId, isPlayed } = world.globalProvider();
		if (!isPlayed) throw new NotObservable("needs a global provider that the run can imitate");
		const idp = world.identityProvider();
		const before = idp.tokenRequests.filter((request) => request.clientId === clientId).length;
		for (const tenant of await twoTenants(standard)) {
			const { browser } = await signInAtProvider(world, standard, tenant);
			assert.equal((await sessionOf(browser))?.session.tenantId, tenant.id);
		}
		const after = idp.tokenRequests.filter((request) => request.clientId === clientId).length;
		assert.ok(after >= before + 2, "the global client did not request the tokens");
	}),
	"CB-3": check("reads the redirect URI of a start with the global credentials", async (world) => {
		const { standard } = world;
		const { id: provider } = world.globalProvider();
		for (const tenant of await twoTenants(standard)) {
			const url = await startSocial(standard, standard.visitor(), tenant, { provider });
			assert.equal(url.searchParams.get("redirect_uri"), callbackOf(standard, provider));
		}
	}),
	"X-1": check("requests a provider that neither the tenant nor the application has", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		await registerConfig(standard, tenant, { providerId: UNCONFIGURED, enabled: false });
		await registerConfig(standard, neighbor, { providerId: UNCONFIGURED });
		const answer = await askSocial(standard.visitor(), tenant, { provider: UNCONFIGURED });
		refused(answer);
		assert.equal(codeOf(answer), "PROVIDER_NOT_FOUND");
		assert.ok(destination(await askSocial(standard.visitor(), neighbor, { provider: UNCONFIGURED }), standard.base));
	}),
} satisfies Checks;
