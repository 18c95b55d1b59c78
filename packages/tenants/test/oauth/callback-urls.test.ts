import { canarySecret } from "test-kit/canary";
import { MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { listCallbackURLs } from "../../src/index.ts";
import { firstOf, fromCustomDomain, fromSubdomain } from "../../src/resolvers.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";

type Hosted = Awaited<ReturnType<typeof createHostedWorld>>;

const at = (host: string, suffix = ""): string => `http://${host}:3000/api/auth/tenant/callback/gitlab${suffix}`;

const register = (world: Hosted, tenantId: string, fields: Record<string, unknown> = {}) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { tenantId, providerId: "gitlab", clientId: "client", clientSecret: canarySecret("hosted"), ...fields },
	});

/** What the provider would see, for a sign-in at each host. */
const sentAt = (world: Hosted, hosts: string[]): Promise<(string | null)[]> =>
	Promise.all(
		hosts.map(async (host) => {
			const { json } = await world.at(host, "/tenant/sign-in/social", { body: { provider: "gitlab" } });
			return new URL(json.url).searchParams.get("redirect_uri");
		}),
	);

describe("the callback URLs of a tenant with hosts", () => {
	it("are those that its sign-ins send, one for each host, also for an operator on the platform", async () => {
		const world = await createHostedWorld();
		for (const domain of ["login.acme.example", "auth.acme.example"]) await world.addDomain(world.acme, domain);
		const hosts = ["auth.acme.example", "login.acme.example", "acme.localhost"];
		const own = await register(world, world.acme);
		const sent = await sentAt(world, hosts);
		expect(sent).toEqual(hosts.map((host) => at(host)));
		expect(own.json).toMatchObject({ callbackURL: at("auth.acme.example"), callbackURLs: sent });
		const other = await register(world, world.globex);
		expect(other.json).toMatchObject({ callbackURL: at("globex.localhost"), callbackURLs: [at("globex.localhost")] });
		expect(await sentAt(world, ["globex.localhost"])).toEqual(other.json.callbackURLs);
		const list = await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId: world.acme } });
		expect(list.json[0]?.callbackURLs).toEqual(sent);
		expect(await listCallbackURLs(world.auth, { tenantId: world.acme, providerId: "gitlab" })).toEqual(sent);
	});

	it("begin with the host of the request, if it is the tenant's", async () => {
		const world = await createHostedWorld();
		await world.addDomain(world.acme, "login.acme.example");
		await register(world, world.acme);
		const listedAt = async (host: string) => {
			const answer = await world.at(host, "/tenant/oauth-config/list", {
				operator: true,
				query: { tenantId: world.acme },
			});
			return answer.json[0]?.callbackURL;
		};
		expect(await listedAt("acme.localhost")).toBe(at("acme.localhost"));
		expect(await listedAt("login.acme.example")).toBe(at("login.acme.example"));
		expect(await listedAt("localhost")).toBe(at("login.acme.example"));
	});

	it("end in the tenant's id for a server of its own, and are the config's redirect URI if it has one", async () => {
		const world = await createHostedWorld();
		const own = await register(world, world.acme, { options: { issuer: "https://gitlab.acme.example" } });
		expect(own.json.callbackURLs).toEqual([at("acme.localhost", `/${world.acme}`)]);
		expect(await sentAt(world, ["acme.localhost"])).toEqual(own.json.callbackURLs);
		const redirectURI = "http://localhost:3000/own/callback";
		const fixed = await register(world, world.globex, { redirectURI });
		expect(fixed.json).toMatchObject({ callbackURL: redirectURI, callbackURLs: [redirectURI] });
		expect(await sentAt(world, ["globex.localhost"])).toEqual([redirectURI]);
	});

	it("follow the tenant: a removed domain and an old slug are not listed", async () => {
		const world = await createHostedWorld();
		await world.addDomain(world.acme, "login.acme.example");
		await register(world, world.acme);
		const urls = () => listCallbackURLs(world.auth, { tenantId: world.acme, providerId: "gitlab" });
		expect(await urls()).toEqual([at("login.acme.example"), at("acme.localhost")]);
		const body = { tenantId: world.acme, domain: "login.acme.example" };
		await world.call("/tenant/domain/remove", { operator: true, body });
		await world.call("/tenant/update", { operator: true, body: { tenantId: world.acme, slug: "renamed" } });
		expect(await urls()).toEqual([at("renamed.localhost")]);
	});

	it("come from the application's own lookup, and are the platform's for a tenant without a host", async () => {
		const domains = new Map<string, string>();
		const world = await createHostedWorld({
			tenantAuth: {
				management: { keys: [MANAGEMENT_KEY] },
				resolveTenantId: firstOf(
					fromCustomDomain({
						findTenantId: (host) => domains.get(host),
						listDomains: (tenantId) => [...domains].filter(([, owner]) => owner === tenantId).map(([host]) => host),
					}),
				),
			},
		});
		domains.set("login.acme.example", world.acme);
		expect(await listCallbackURLs(world.auth, { tenantId: world.acme, providerId: "gitlab" })).toEqual([
			at("login.acme.example"),
		]);
		expect((await register(world, world.globex)).json.callbackURLs).toEqual([at("localhost")]);
	});

	// threat 22
	it("contain no host that belongs to the platform or to another tenant", async () => {
		const world = await createHostedWorld({
			tenantAuth: {
				management: { keys: [MANAGEMENT_KEY] },
				resolveTenantId: firstOf(
					fromCustomDomain({
						findTenantId: () => null,
						listDomains: () => ["localhost", "globex.localhost", "nobody.example", "not a host"],
					}),
					fromSubdomain({ domain: "localhost" }),
				),
			},
		});
		expect((await register(world, world.acme)).json.callbackURLs).toEqual([at("acme.localhost")]);
	});
});
