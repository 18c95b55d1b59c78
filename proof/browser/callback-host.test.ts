import { beforeAll, describe, expect, it } from "vitest";
import type { Visitor } from "./support/visitor.ts";
import { useWorld } from "./support/world.ts";

// each client is registered with one redirect URI: that of the callback host
const world = useWorld({ hosts: ["acme", "globex"], callbackHost: "auth.localhost" });

const KAY = { sub: "kay-1", email: "kay@example.com", name: "Kay" };

beforeAll(async () => {
	for (const name of ["Acme", "Globex"]) await world().newTenant(name);
});

const tabs = async (): Promise<[Visitor, Visitor]> => {
	const [acme, globex] = await world().tabsAt("acme", "globex");
	if (!acme || !globex) throw new Error("no tabs");
	return [acme, globex];
};

/** The hosts of a browser's cookies, besides those of the identity provider. */
const cookieHosts = async ({ page }: Visitor): Promise<string[]> => {
	const cookies = await page.context().cookies();
	return [...new Set(cookies.map(({ domain }) => domain))].filter((domain) => domain.endsWith("localhost")).sort();
};

describe("two subdomains with one redirect URI at the provider", () => {
	it("sign the same user in to both tenants, as two users, through one callback URI", async () => {
		const [acme, globex] = await tabs();
		const visited: string[] = [];
		acme.page.on("request", (request) => visited.push(request.url()));
		const { tokens } = await world().watch(async () => {
			await acme.signInWith("gitlab", KAY);
			expect(await acme.whereabouts()).toEqual({ email: KAY.email, tenant: "Acme" });
			await globex.open();
			await globex.choose("gitlab");
			expect(await globex.whereabouts()).toEqual({ email: KAY.email, tenant: "Globex" });
		});
		const shared = world().sharedURI("gitlab");
		expect(tokens.map(({ redirectURI }) => redirectURI)).toEqual([shared, shared]);
		// both sessions, each on its own host; the callback host has no cookie
		await acme.page.reload();
		expect(await acme.whereabouts()).toEqual({ email: KAY.email, tenant: "Acme" });
		expect(await cookieHosts(acme)).toEqual(["acme.localhost", "globex.localhost"]);
		const users = await world().database.query(`select "tenantId" from "user" where email = $1`, [KAY.email]);
		expect(new Set(users.map(({ tenantId }) => tenantId)).size).toBe(2);
		// the provider's code was sent to the callback host only
		const codes = visited.filter((url) => new URL(url).searchParams.has("code"));
		expect(codes.map((url) => new URL(url).hostname)).toEqual(["auth.localhost"]);
	});

	it("pass a refusal on to the tenant's own error page", async () => {
		const [, globex] = await tabs();
		await globex.open();
		await globex.choose("gitlab");
		await globex.identify(KAY);
		await globex.deny();
		expect(await globex.error()).toBe("access_denied");
		expect(new URL(globex.page.url()).origin).toBe(world().originOf("globex"));
	});

	// threat 145
	it("give a hand-over to the browser that began only", async () => {
		const [[acme], [stranger]] = [await tabs(), await tabs()];
		const lin = { sub: "lin-1", email: "lin@example.com", name: "Lin" };
		await acme.open();
		await acme.choose("gitlab");
		await acme.identify(lin);
		// the browser loses its cookies, so that the hand-over is not used yet
		const context = acme.page.context();
		const cookies = await context.cookies(world().originOf("acme"));
		await context.clearCookies({ domain: "acme.localhost" });
		const request = acme.page.waitForRequest(/hand_over=/);
		await acme.allow();
		const handed = (await request).url();
		expect(await acme.error()).toBe("state_mismatch");
		await stranger.page.goto(handed);
		expect(await stranger.error()).toBe("state_mismatch");
		expect(await cookieHosts(stranger)).toEqual([]);
		await context.addCookies(cookies);
		await acme.page.goto(handed);
		expect(await acme.whereabouts()).toEqual({ email: lin.email, tenant: "Acme" });
		// and once
		await acme.page.goto(handed);
		expect(new URL(acme.page.url()).searchParams.get("error")).toBe("state_mismatch");
	});
});
