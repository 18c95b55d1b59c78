import { admin } from "better-auth/plugins/admin";
import { phoneNumber } from "better-auth/plugins/phone-number";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";
import { fromPath, serveTenantPaths } from "../../src/resolvers.ts";
import { createHostedWorld } from "./support/hosted-world.ts";

const person = { name: "Ada", email: "ada@example.com", password: PASSWORD };

describe("a name that changes its owner", () => {
	// threat 89
	it("leads to the new owner at once: a domain of a deleted tenant, and another tenant's old slug", async () => {
		const { at, call, addDomain, signUpAt, acme, globex } = await createHostedWorld();
		await addDomain(acme, "login.shared.com");
		const ada = await signUpAt("login.shared.com", "ada@example.com");
		const old = await signUpAt("acme.localhost", "grace@example.com");
		const rename = (tenantId: string, slug: string) =>
			call("/tenant/update", { operator: true, body: { tenantId, slug } });
		expect([(await rename(acme, "acme-old")).status, (await rename(globex, "acme")).status]).toEqual([200, 200]);
		// the browser still has the cookies of the host's former tenant
		const kept = await at("acme.localhost", "/list-sessions", { browser: old.copy() });
		expect([kept.status, kept.code]).toEqual([403, "SESSION_TENANT_MISMATCH"]);
		const made = await at("acme.localhost", "/sign-up/email", { body: person });
		expect(made.json.user.tenantId).toBe(globex);

		expect((await call("/tenant/delete", { operator: true, body: { tenantId: acme } })).status).toBe(200);
		expect((await at("login.shared.com", "/get-session", { browser: ada.copy() })).code).toBe("TENANT_NOT_FOUND");
		expect((await addDomain(globex, "login.shared.com")).status).toBe(200);
		expect((await at("login.shared.com", "/get-session", { browser: ada.copy() })).json).toBeNull();
		const next = await at("login.shared.com", "/sign-in/email", { body: person });
		expect(next.json.user.tenantId).toBe(globex);
	});
});

describe("the closed platform", () => {
	// threat 92
	it("creates no user by a phone number, and none for its own admin over HTTP", async () => {
		const codes: string[] = [];
		const plugins = [
			admin(),
			phoneNumber({
				sendOTP: ({ code }) => void codes.push(code),
				signUpOnVerification: { getTempEmail: (phone) => `${phone}@phone.example` },
			}),
		];
		const world = await createWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, resolveTenantId: () => null }, plugins),
		});
		const tenant = await world.newTenant();
		await world.newTenant("globex");
		await world.auth.api.signUpEmail({ body: person });
		await world.database.query(`update "user" set "role" = 'admin'`);
		const browser = new Browser();
		expect((await world.call("/sign-in/email", { browser, body: person })).status).toBe(200);
		const created = await world.call("/admin/create-user", { browser, body: { ...person, email: "eve@example.com" } });
		expect([created.status, created.code]).toEqual([403, "PLATFORM_SIGN_UP_CLOSED"]);
		const verify = async (named: string | undefined) => {
			const body = { phoneNumber: "+15550100" };
			await world.call("/phone-number/send-otp", { tenant: named, body });
			return world.call("/phone-number/verify", { tenant: named, body: { ...body, code: codes.at(-1) } });
		};
		expect((await verify(undefined)).status).toBeGreaterThanOrEqual(400);
		expect((await world.database.query('select "email" from "user"')).map(({ email }) => email)).toEqual([
			person.email,
		]);
		expect((await verify(tenant)).status).toBe(200);
	});
});

describe("the tenant of a path", () => {
	// threat 88
	it("is the segment that was sent: nothing encoded, doubled or dotted names another tenant or the platform", async () => {
		const world = await createWorld({
			tenantAuth: {
				management: { keys: [MANAGEMENT_KEY] },
				resolveTenantId: fromPath({ pattern: "/t/:tenant/" }),
				platform: { signUp: true },
			},
		});
		const acme = await world.newTenant("acme");
		await world.newTenant("globex");
		const serve = serveTenantPaths(world.auth, { pattern: "/t/:tenant" });
		const signUp = async (path: string, email: string) => {
			const headers = { "content-type": "application/json", origin: "http://localhost:3000" };
			const body = JSON.stringify({ ...person, email });
			return serve(new Request(`http://localhost:3000${path}`, { method: "POST", headers, body }));
		};
		const made = await signUp("/t/globex/../acme/api/auth/sign-up/email", "a@example.com");
		expect((await made.json()).user.tenantId).toBe(acme);
		for (const path of [
			"/t/acme%2f..%2fglobex/api/auth/sign-up/email",
			"/t/%61cme/api/auth/sign-up/email",
			"/t/ACME/api/auth/sign-up/email",
			"/t/acme%00/api/auth/sign-up/email",
			"/t/platform/api/auth/sign-up/email",
			"/t//api/auth/sign-up/email",
			"/t/acme/t/globex/api/auth/sign-up/email",
			"/T/acme/api/auth/sign-up/email",
		])
			expect([path, (await signUp(path, "b@example.com")).status]).toEqual([path, 404]);
		expect((await world.database.query('select "tenantId" from "user"')).map(({ tenantId }) => tenantId)).toEqual([
			acme,
		]);
	});
});
