import type { betterAuth } from "better-auth";
import { Browser } from "test-kit/browser";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { expect } from "vitest";
import { runInKnownTenant } from "../../../src/scope/pin/tenant-context.ts";
import type { composedOptions } from "./composed.ts";

export type ComposedAuth = ReturnType<typeof betterAuth<ReturnType<typeof composedOptions>>>;

type Call = { body?: unknown; tenant?: string; browser?: Browser };
type Answer = { status: number; json: Record<string, unknown> };

/** Calls the engine as a browser does. */
export const callOn =
	(auth: Pick<ComposedAuth, "handler">) =>
	async (path: string, { body, tenant, browser }: Call = {}): Promise<Answer> => {
		const headers = new Headers({ origin: ORIGIN, "content-type": "application/json" });
		if (tenant) headers.set("x-tenant-id", tenant);
		if (browser) headers.set("cookie", browser.header());
		const response = await auth.handler(
			new Request(`${ORIGIN}/api/auth${path}`, {
				method: body === undefined ? "GET" : "POST",
				headers,
				body: body === undefined ? null : JSON.stringify(body),
			}),
		);
		browser?.take(response);
		const text = await response.text();
		return { status: response.status, json: text ? (JSON.parse(text) ?? {}) : {} };
	};

const ADA = { name: "Ada", email: "ada@example.com", password: PASSWORD, username: "ada" };

/**
 * Two tenants whose users, organizations and keys have the same names. Unique values are unique in one tenant, and
 * nothing of one tenant works in the other.
 */
export const walkThroughTwoTenants = async (auth: ComposedAuth): Promise<void> => {
	const call = callOn(auth);
	const [a, b] = await Promise.all(
		["acme", "globex"].map((slug) => auth.api.createTenant({ body: { name: slug, slug } })),
	);
	if (!a || !b) throw new Error("no tenants");
	const browsers = new Map<string, Browser>();
	for (const { id: tenant } of [a, b]) {
		const browser = new Browser();
		browsers.set(tenant, browser);
		const signedUp = await call("/sign-up/email", { tenant, browser, body: ADA });
		expect(signedUp).toMatchObject({ status: 200, json: { user: { tenantId: tenant } } });
		// a name taken in this tenant stays taken
		expect((await call("/sign-up/email", { tenant, body: { ...ADA, username: "other" } })).status).toBe(422);
		const sameName = await call("/sign-up/email", { tenant, body: { ...ADA, email: "eve@example.com" } });
		expect(sameName.status).toBeGreaterThanOrEqual(400);

		for (const [path, body] of [
			["/sign-in/email", { email: ADA.email, password: PASSWORD }],
			["/sign-in/username", { username: "ada", password: PASSWORD }],
		] as const) {
			const signedIn = await call(path, { tenant, browser, body });
			expect(signedIn).toMatchObject({ status: 200, json: { user: { tenantId: tenant } } });
		}
		const organization = { name: "Board", slug: "board" };
		expect((await call("/organization/create", { tenant, browser, body: organization })).status).toBe(200);
		expect((await call("/organization/create", { tenant, browser, body: organization })).status).toBe(400);
		expect((await call("/organization/list", { tenant, browser })).json).toHaveLength(1);
		const changed = await call("/update-user", { tenant, browser, body: { name: "Ada L", username: "lovelace" } });
		expect(changed.status).toBe(200);
		expect((await call("/get-session", { tenant, browser })).json).toMatchObject({
			user: { name: "Ada L", username: "lovelace", tenantId: tenant },
			session: { tenantId: tenant },
		});
	}
	await refuseTheOther(auth, [a.id, b.id], browsers);
};

const refuseTheOther = async (auth: ComposedAuth, [a, b]: [string, string], browsers: Map<string, Browser>) => {
	const call = callOn(auth);
	const browser = browsers.get(a);
	if (!browser) throw new Error("not signed in");
	// callOn returns an empty object for null
	expect(await call("/get-session", { tenant: b, browser: browser.copy() })).toEqual({ status: 200, json: {} });
	expect(await call("/list-sessions", { tenant: b, browser: browser.copy() })).toMatchObject({
		status: 403,
		json: { code: "SESSION_TENANT_MISMATCH" },
	});
	const made = await call("/api-key/create", { tenant: a, browser, body: { name: "ci" } });
	expect(made.status).toBe(200);
	const verify = (tenant: string) =>
		auth.api.verifyApiKey({ body: { key: String(made.json.key) }, headers: new Headers({ "x-tenant-id": tenant }) });
	expect(await verify(a)).toMatchObject({ valid: true });
	expect(await verify(b)).toMatchObject({ valid: false });
	// a tenant's password does not work on the platform, which has none of its users
	const elsewhere = await call("/sign-in/email", { body: { email: ADA.email, password: PASSWORD } });
	expect(elsewhere.status).toBe(401);
	expect((await call("/sign-out", { tenant: a, browser, body: {} })).status).toBe(200);
	expect((await call("/get-session", { tenant: a, browser })).json).toEqual({});

	// deleting one tenant deletes all its rows and none of the other's
	const { adapter } = await auth.$context;
	// runWithTenant refuses a deleted tenant
	const usersOf = (tenant: string) => runInKnownTenant(tenant, () => adapter.count({ model: "user" }));
	expect([await usersOf(a), await usersOf(b)]).toEqual([1, 1]);
	await auth.api.deleteTenant({ body: { tenantId: a } });
	expect([await usersOf(a), await usersOf(b)]).toEqual([0, 1]);
};
