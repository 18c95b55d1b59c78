import { globalProviders, useIdentityProvider } from "test-kit/social";
import { createWorld, ORIGIN, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";

const idp = useIdentityProvider();

const EMAIL = "ada@example.com";
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** Where a request without `Origin` may come from. Node.js sends `sec-fetch-mode`, and other servers nothing. */
const SOURCES: Record<string, string>[] = [
	{},
	{ "sec-fetch-mode": "cors" },
	{ "sec-fetch-mode": "cors", referer: `${ORIGIN}/page` },
	{ cookie: "other=1" },
	{ cookie: "other=1", "sec-fetch-mode": "cors" },
];

const createPair = async () => {
	const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
	const tenants = [await world.newTenant(), await world.newTenant()] as const;
	return { world, tenants };
};

const send = async ({ auth }: World, path: string, headers: Record<string, string>, body: string) => {
	const response = await auth.handler(new Request(`${ORIGIN}/api/auth${path}`, { method: "POST", headers, body }));
	const { code } = (await response.json().catch(() => ({}))) as { code?: string };
	return { outcome: [response.status, code], cookies: response.headers.getSetCookie() };
};

/** A page can send these to another site without a preflight. */
const SIMPLE: [string | undefined, (body: Record<string, string>) => string][] = [
	[FORM_TYPE, (body) => new URLSearchParams(body).toString()],
	[`${FORM_TYPE}; ${JSON_TYPE}`, (body) => new URLSearchParams(body).toString()],
	["text/plain", JSON.stringify],
	[`text/plain; ${JSON_TYPE}`, JSON.stringify],
	[undefined, JSON.stringify],
];

describe("a request without an origin", () => {
	it("starts a social sign-in with JSON wherever Better Auth's own endpoint does", async () => {
		const { world, tenants } = await createPair();
		const seen = new Set<unknown>();
		for (const source of SOURCES) {
			const headers = { ...source, "content-type": JSON_TYPE };
			const own = await send(world, "/sign-in/social", headers, JSON.stringify({ provider: "gitlab" }));
			seen.add(own.outcome[0]);
			for (const tenantId of tenants) {
				const body = JSON.stringify({ tenantId, provider: "gitlab" });
				const { outcome } = await send(world, "/tenant/sign-in/social", headers, body);
				expect([source, outcome]).toEqual([source, own.outcome]);
			}
		}
		expect([...seen]).toEqual([200, 403]);
	});

	it("signs up and in where Better Auth's own endpoints do", async () => {
		const { world, tenants } = await createPair();
		await world.signUp(undefined, EMAIL);
		for (const tenantId of tenants) await world.signUp(tenantId, EMAIL);
		let people = 0;
		for (const source of SOURCES)
			for (const path of ["/sign-in/email", "/sign-up/email"]) {
				const headers = { ...source, "content-type": JSON_TYPE };
				const bodyOf = () => ({
					email: path === "/sign-in/email" ? EMAIL : `new-${++people}@example.com`,
					password: PASSWORD,
					name: "Ada",
				});
				const own = await send(world, path, headers, JSON.stringify(bodyOf()));
				for (const tenantId of tenants) {
					const body = JSON.stringify({ ...bodyOf(), tenantId });
					expect([path, source, (await send(world, `/tenant${path}`, headers, body)).outcome]).toEqual([
						path,
						source,
						own.outcome,
					]);
				}
			}
	});

	// threat 51
	it("starts no social sign-in with a type that pages can send without a preflight", async () => {
		const { world, tenants } = await createPair();
		const crossSite = { "sec-fetch-site": "cross-site" };
		for (const [type, write] of SIMPLE)
			for (const mode of ["navigate", "no-cors", "cors"])
				for (const tenantId of tenants) {
					const headers = { ...crossSite, "sec-fetch-mode": mode, ...(type ? { "content-type": type } : {}) };
					const body = write({ tenantId, provider: "gitlab" });
					const { outcome, cookies } = await send(world, "/tenant/sign-in/social", headers, body);
					expect([type, mode, outcome[0]]).toEqual([type, mode, type?.startsWith(FORM_TYPE) ? 403 : 415]);
					expect(cookies).toEqual([]);
				}
		expect(await world.database.query('select * from "verification"')).toEqual([]);
	});
});
