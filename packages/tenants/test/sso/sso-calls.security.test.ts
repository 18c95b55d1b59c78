import { sso } from "@better-auth/sso";
import { Browser } from "test-kit/browser";
import { fakeNetwork, PUBLIC_V4 } from "test-kit/fake-network";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";
import { listen, registration, startOpenIdServer } from "./support/openid-server.ts";

const worldWith = async (options: Parameters<typeof sso>[0], trustedOrigins: string[], providerTimeout = 10) => {
	const world = await createWorld({
		engine: { trustedOrigins },
		allPlugins: withTenants(
			{ management: { keys: [MANAGEMENT_KEY] }, deletion: { drainTime: 0 }, oauth: { providerTimeout } },
			[sso(options)],
		),
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const register = (tenant: string, body: object) => world.call("/sso/register", { tenant, operator: true, body });
	const begin = async (tenant: string) => {
		const browser = new Browser();
		const body = { providerId: "okta", callbackURL: "/home", errorCallbackURL: "/failed" };
		const { json } = await world.call("/sign-in/sso", { tenant, browser, body });
		return { browser, url: new URL(json.url) };
	};
	return { ...world, a, b, register, begin };
};

describe("calls to a tenant's identity provider", () => {
	// threat 23
	it("go to the checked address, and never to a private one if a name moves", async () => {
		const inside: string[] = [];
		const server = await listen((request, response) => {
			inside.push(request.url ?? "");
			response.writeHead(200, { "content-type": "application/json" }).end("{}");
		});
		const issuer = server.replace("127.0.0.1", "idp.rogue.example.com");
		const world = await worldWith({}, []);
		expect((await world.register(world.a, registration(issuer, "okta"))).status).toBe(200);
		const HOST = "idp.rogue.example.com";
		const names: Record<string, string[][]> = {};
		const network = fakeNetwork(names);
		// public for some lookups, then private: one of these is between the plugin's check and the connection
		for (let looks = 0; looks < 8; looks++) {
			names[HOST] = [[PUBLIC_V4]];
			const { browser, url } = await world.begin(world.a);
			const address = url.searchParams.get("redirect_uri") ?? "";
			const query = { code: "code", state: url.searchParams.get("state") ?? "" };
			names[HOST] = [...Array.from({ length: looks }, () => [PUBLIC_V4]), ["127.0.0.1"]];
			network.lookups.length = 0;
			const { location } = await world.call(address, { browser, query });
			expect(location).toContain("/failed?error=");
			expect(network.targets.filter((target) => target !== PUBLIC_V4)).toEqual([]);
		}
		// it may be called while its name resolves to a public address, like every provider
		expect(new Set(inside)).toEqual(new Set(["/token"]));
	});

	// threat 23
	it("end a sign-in whose provider does not respond, and do not delay another tenant", {
		timeout: 30_000,
	}, async () => {
		const silent = await listen(() => {});
		const honest = await startOpenIdServer(() => ({ sub: "ada", email: "ada@corp.example" }));
		const world = await worldWith({}, [silent, honest.issuer], 1);
		await world.register(world.a, registration(silent, "okta"));
		honest.allow((await world.register(world.b, registration(honest.issuer, "okta"))).json.redirectURI);
		const { browser, url } = await world.begin(world.a);
		const address = url.searchParams.get("redirect_uri") ?? "";
		const query = { code: "code", state: url.searchParams.get("state") ?? "" };
		const waiting = world.call(address, { browser, query });
		const neighbor = await world.begin(world.b);
		const done = await world.call(await honest.visit(neighbor.url.href), { browser: neighbor.browser });
		expect(done.location).toBe("/home");
		expect((await waiting).location).toContain("/failed?error=invalid_provider");
	});

	it("do not bound the application's own calls during sign-in", async () => {
		const called: string[] = [];
		const internal = await listen((request, response) => {
			called.push(request.url ?? "");
			response.end("x".repeat(1_500_000));
		});
		const server = await startOpenIdServer(() => ({ sub: "ada", email: "ada@corp.example" }));
		let received = 0;
		const provisionUser = async () => {
			received = (await (await fetch(`${internal}/provision`)).text()).length;
		};
		const world = await worldWith({ provisionUser }, [server.issuer]);
		server.allow((await world.register(world.a, registration(server.issuer, "okta"))).json.redirectURI);
		const { browser, url } = await world.begin(world.a);
		expect((await world.call(await server.visit(url.href), { browser })).location).toBe("/home");
		expect([called, received]).toEqual([["/provision"], 1_500_000]);
	});
});
