import { expect, it, onTestFinished } from "vitest";
import { createWorld } from "../support/world.ts";

it("are in the log with tenant, address and reason, and without the email", async () => {
	const world = await createWorld({ environment: { LOG_LEVEL: "warn" } });
	onTestFinished(world.close);
	const service = await world.start();
	const acme = await service.createTenant("acme");
	await service.signUp(acme, "ada@example.com");
	const warned = () => world.log.lines().filter(({ msg }) => msg === "sign-in did not succeed");
	await service.signIn(acme, "ada@example.com");
	expect(warned()).toEqual([]);
	await service.signIn(acme, "ada@example.com", "wrong password");
	expect(warned()).toMatchObject([
		{
			level: "warn",
			tenantId: acme,
			method: "email",
			outcome: "refused",
			address: "127.0.0.1",
			reason: "INVALID_EMAIL_OR_PASSWORD",
		},
	]);
	const callback = await service.call("/api/auth/tenant/callback/github?state=made-up&code=canary-code");
	expect(callback.status).toBe(302);
	expect(warned().at(-1)).toMatchObject({ method: "github", reason: expect.stringMatching(/^\w+$/) });
	expect(world.log.text()).not.toMatch(/ada@example\.com|wrong password|canary-code/);
});
