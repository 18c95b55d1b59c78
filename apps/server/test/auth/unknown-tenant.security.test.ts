import { expect, it, onTestFinished } from "vitest";
import { AUTH_URL } from "../support/environment.ts";
import { createWorld } from "../support/world.ts";

const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

it("refuses an unknown tenant host or path instead of falling back to the platform", async () => {
	const world = await createWorld({
		environment: {
			TENANT_RESOLVER: "path,subdomain",
			TENANT_DOMAIN: "app.example.com",
			TRUSTED_PROXIES: "127.0.0.1",
			PLATFORM_HOSTS: "127.0.0.1",
			PLATFORM_SIGN_UP: "true",
		},
	});
	onTestFinished(world.close);
	const service = await world.start();
	await service.createTenant("acme");
	expect((await service.post("/sign-up/email", person)).status).toBe(200);
	const signIn = (path: string, headers: Record<string, string> = {}) =>
		service.call(`${path}/api/auth/sign-in/email`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: AUTH_URL, ...headers },
			body: JSON.stringify(person),
		});
	// sign-in works on the platform's own URL, so the refusals below are due to the URL
	expect((await service.post("/sign-in/email", person)).status).toBe(200);
	const answers = [await signIn("/t/unknown"), await signIn("", { "x-forwarded-host": "unknown.app.example.com" })];
	for (const answer of answers) {
		expect(answer.status).toBe(404);
		expect(answer.headers.getSetCookie()).toEqual([]);
		expect(await answer.json()).toMatchObject({ code: "TENANT_NOT_FOUND" });
	}
	expect((await signIn("/t/acme")).status).toBe(401);
});
