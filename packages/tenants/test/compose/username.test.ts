import { username } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

describe.each(["sqlite", "postgres", "mysql"] as const)("usernames on %s", (database) => {
	it("are taken in one and free in the other tenant, sign in and can be changed", async () => {
		const { a, b, ok, call, whoami } = await composedWorld([username()], { database });
		const person = { name: "Ada", email: "ada@example.com", password: PASSWORD, username: "Ada_L" };
		for (const tenant of [a, b]) {
			const free = await ok("/is-username-available", { tenant, body: { username: "ada_l" } });
			expect(free.json.available).toBe(true);
			await ok("/sign-up/email", { tenant, body: person });
			const taken = await call("/sign-up/email", { tenant, body: { ...person, email: "other@example.com" } });
			expect(taken.code).toBe("USERNAME_IS_ALREADY_TAKEN");
			const browser = new Browser();
			await ok("/sign-in/username", { tenant, browser, body: { username: "ADA_L", password: PASSWORD } });
			expect((await whoami(browser)).user).toMatchObject({
				tenantId: tenant,
				username: "ada_l",
				displayUsername: "Ada_L",
			});
			if (tenant === a) await ok("/update-user", { browser, body: { username: "countess" } });
		}
		const old = await call("/sign-in/username", { tenant: a, body: { username: "ada_l", password: PASSWORD } });
		expect(old.status).toBe(401);
		await ok("/sign-in/username", { tenant: b, body: { username: "ada_l", password: PASSWORD } });
	});

	it("stay unique in a tenant at any length", async () => {
		const { a, b, ok, call } = await composedWorld([username({ maxUsernameLength: 255 })], { database });
		const long = "a".repeat(255);
		const person = (email: string) => ({ name: "Ada", email, password: PASSWORD, username: long });
		for (const tenant of [a, b]) {
			await ok("/sign-up/email", { tenant, body: person("ada@example.com") });
			const taken = await call("/sign-up/email", { tenant, body: person("other@example.com") });
			expect(taken.code).toBe("USERNAME_IS_ALREADY_TAKEN");
		}
	});
});
