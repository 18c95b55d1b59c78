import type { Request } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { useWorld } from "./support/world.ts";

// the platform's own host is the callback host: the test's Apple returns to localhost itself only
const world = useWorld({ hosts: ["acme", "globex"], callbackHost: "localhost" });

beforeAll(async () => {
	for (const name of ["Acme", "Globex"]) await world().registerClient(await world().newTenant(name), "apple");
});

it("signs in with Apple, which posts a form to the callback host, at two subdomains", async () => {
	const mary = { sub: "mary-1", email: "mary@example.com", name: "Mary" };
	for (const [slug, tenant] of [
		["acme", "Acme"],
		["globex", "Globex"],
	] as const) {
		const [visitor] = await world().tabsAt(slug);
		if (!visitor) throw new Error("no tab");
		const sent: Request[] = [];
		visitor.page.on("request", (request) => {
			if (new URL(request.url()).pathname.includes("callback/apple")) sent.push(request);
		});
		await visitor.signInWith("apple", mary);
		expect(await visitor.whereabouts()).toEqual({ email: mary.email, tenant });
		// the form is answered with one redirect, which contains nothing of Apple
		expect(sent.map((request) => [request.method(), new URL(request.url()).hostname])).toEqual([
			["POST", "localhost"],
			["GET", `${slug}.localhost`],
		]);
		const [, handed] = sent;
		expect([...new URL(handed?.url() ?? "").searchParams.keys()].sort()).toEqual(["hand_over", "state"]);
	}
	const users = await world().database.query(`select "tenantId" from "user" where email = $1`, [mary.email]);
	expect(new Set(users.map(({ tenantId }) => tenantId)).size).toBe(2);
});
