import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { Miniflare } from "miniflare";
import { cheapHash } from "test-kit/cheap-hash";
import { MANAGEMENT_KEY, ORIGIN, PASSWORD } from "test-kit/world";
import { expect, it, onTestFinished } from "vitest";
import { tenantAuth } from "../../src/index.ts";

it("isolates two tenants on Cloudflare D1 and reads its indexes", async () => {
	const workers = new Miniflare({ modules: true, script: "export default {}", d1Databases: ["DB"] });
	onTestFinished(() => workers.dispose());
	const options = {
		database: await workers.getD1Database("DB"),
		baseURL: ORIGIN,
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		emailAndPassword: { enabled: true, password: cheapHash },
		// D1 has no interactive transactions
		plugins: [tenantAuth({ management: { keys: [MANAGEMENT_KEY] }, database: { requireTransactions: false } })],
	};
	await (await getMigrations(options)).runMigrations();
	const { handler } = betterAuth(options);
	const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
		const sent = { origin: ORIGIN, "content-type": "application/json", ...headers };
		const request = new Request(`${ORIGIN}/api/auth${path}`, {
			method: "POST",
			headers: sent,
			body: JSON.stringify(body),
		});
		const response = await handler(request);
		return { status: response.status, json: await response.json() };
	};
	const people: { id: string; tenantId: string }[] = [];
	for (const slug of ["one", "two"]) {
		const operator = { authorization: `Bearer ${MANAGEMENT_KEY}` };
		const { json: tenant } = await send("/tenant/create", { name: slug, slug }, operator);
		const person = { tenantId: tenant.id, name: "Ada", email: "ada@example.com", password: PASSWORD };
		const { status, json } = await send("/tenant/sign-up/email", person);
		expect(status, JSON.stringify(json)).toBe(200);
		people.push({ id: json.user.id, tenantId: json.session.tenantId });
		expect(people.at(-1)?.tenantId).toBe(tenant.id);
		expect((await send("/tenant/sign-up/email", person)).status).toBe(422);
	}
	expect(new Set(people.map(({ id }) => id)).size).toBe(2);
});
