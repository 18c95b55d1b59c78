import { createWorld, MANAGEMENT_KEY, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { fromPath, serveTenantPaths } from "../../src/resolvers.ts";

const person = { name: "Ada", email: "ada@example.com", password: PASSWORD };

/** Acme and Globex below `/t/acme` and `/t/globex`. */
const createPathWorld = async (rateLimit = { enabled: false }) => {
	const world = await createWorld({
		tenantAuth: {
			management: { keys: [MANAGEMENT_KEY] },
			resolveTenantId: fromPath({ pattern: "/t/:tenant/" }),
		},
		engine: { rateLimit },
	});
	const handler = serveTenantPaths(world.auth, { pattern: "/t/:tenant" });
	const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
		const answer = await handler(
			new Request(`${ORIGIN}${path}`, {
				method: "POST",
				headers: { "content-type": "application/json", origin: ORIGIN, ...headers },
				body: JSON.stringify(body),
			}),
		);
		return { status: answer.status, json: JSON.parse(await answer.text()) };
	};
	const ids = { acme: await world.newTenant("acme"), globex: await world.newTenant("globex") };
	return { ...world, handler, post, ids };
};

describe("tenants below a path each", () => {
	it("signs up in the tenant of the path, and mailed links work", async () => {
		const { post, call, ids, lastMail } = await createPathWorld();
		for (const slug of ["acme", "globex"] as const) {
			const made = await post(`/t/${slug}/api/auth/sign-up/email`, person);
			expect(made.json.user.tenantId).toBe(ids[slug]);
			const ask = { email: person.email, redirectTo: "/reset" };
			expect((await post(`/t/${slug}/api/auth/request-password-reset`, ask)).status).toBe(200);
			const token = new URL((await call(lastMail("reset").url)).location ?? "").searchParams.get("token");
			const reset = { token, newPassword: `${slug} horse battery` };
			expect((await post(`/t/${slug}/api/auth/reset-password`, reset)).status).toBe(200);
		}
	});

	// threat 88
	it("rejects a path of no tenant, and never takes it for the platform's", async () => {
		const { post, ids, database } = await createPathWorld();
		for (const slug of ["unknown", "ACME", "acme%2e", "platform", ids.acme]) {
			const made = await post(`/t/${slug}/api/auth/sign-up/email`, person);
			expect([slug, made.status, made.json.code]).toEqual([slug, 404, "TENANT_NOT_FOUND"]);
		}
		expect((await post("/api/auth/sign-up/email", person)).json.code).toBe("PLATFORM_SIGN_UP_CLOSED");
		expect(await database.query('select * from "user"')).toEqual([]);
	});

	// threat 87
	it("follows the path before header and body, and keeps Better Auth's rate limits", async () => {
		const { post, ids } = await createPathWorld({ enabled: true });
		const from = { "x-forwarded-for": "192.0.2.7" };
		const made = await post(
			"/t/acme/api/auth/sign-up/email",
			{ ...person, tenantId: ids.globex },
			{ ...from, "x-tenant-id": ids.globex },
		);
		expect(made.json.user.tenantId).toBe(ids.acme);
		const wrong = { email: person.email, password: "wrong password" };
		const statuses: number[] = [];
		for (const slug of ["acme", "globex", "acme", "globex"])
			statuses.push((await post(`/t/${slug}/api/auth/sign-in/email`, wrong, from)).status);
		expect(statuses).toEqual([401, 401, 401, 429]);
	});
});
