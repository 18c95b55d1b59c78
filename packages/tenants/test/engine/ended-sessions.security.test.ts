import { jwt } from "better-auth/plugins/jwt";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { isFixed } from "./support/is-fixed.ts";

// attacks that the installed version of the engine allows, or has fixed: see docs/engine-versions.md
describe("a session that has ended", () => {
	it("gets a JWT although it has expired, until it is fixed", async () => {
		const world = await composedWorld([jwt()]);
		const fixed = await isFixed(world, "jwt");
		const { a, b } = world;
		const [expired, neighbor] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "ada@example.com")];
		await world.database.query(
			`update "session" set "expiresAt" = '2020-01-01T00:00:00.000Z' where "tenantId" = '${a}'`,
		);

		const answer = await world.call("/get-session", { browser: expired });
		expect(answer.json).toBeNull();
		expect(answer.headers.get("set-auth-jwt")).toEqual(fixed ? null : expect.stringMatching(/^ey/));
		const theirs = await world.ok("/get-session", { browser: neighbor });
		expect([theirs.json.user.email, theirs.headers.get("set-auth-jwt")]).toEqual([
			"ada@example.com",
			expect.stringMatching(/^ey/),
		]);
	});

	const createCached = async () => {
		const tokens: string[] = [];
		const world = await composedWorld([], {
			engine: {
				session: { cookieCache: { enabled: true, maxAge: 300 } },
				user: {
					deleteUser: {
						enabled: true,
						sendDeleteAccountVerification: async ({ token }) => void tokens.push(token),
					},
				},
			},
		});
		const fixed = await isFixed(world, "session.cookieCache");
		const [ada, neighbor] = [
			await world.signUp(world.a, "ada@example.com"),
			await world.signUp(world.b, "ada@example.com"),
		];
		for (const browser of [ada, neighbor]) await world.ok("/get-session", { browser });
		const emailOf = async (browser: typeof ada) => (await world.call("/get-session", { browser })).json?.user.email;
		return { world, tokens, fixed, ada, neighbor, emailOf };
	};

	it.each(["/revoke-session", "/revoke-sessions"])(
		"stays cached in the browser that ends it with %s, until it is fixed",
		async (path) => {
			const { world, fixed, ada, neighbor, emailOf } = await createCached();
			const { token } = (await world.ok("/get-session", { browser: ada })).json.session;
			await world.ok(path, { browser: ada, body: path === "/revoke-session" ? { token } : {} });
			expect(await emailOf(ada)).toBe(fixed ? undefined : "ada@example.com");
			expect(await emailOf(neighbor)).toBe("ada@example.com");
		},
	);

	it("stays cached in the browser that deletes its user with a token, until it is fixed", async () => {
		const { world, tokens, fixed, ada, neighbor, emailOf } = await createCached();
		for (const browser of [ada, neighbor]) await world.ok("/delete-user", { browser, body: { password: PASSWORD } });
		const [own = "", foreign = ""] = tokens;
		// the token of the other tenant deletes nobody here, and is not used up
		const refused = await world.call("/delete-user", { browser: ada, body: { token: foreign } });
		expect(refused.status).toBeGreaterThanOrEqual(400);
		expect(await world.database.query(`select "email" from "user"`)).toHaveLength(2);

		await world.ok("/delete-user", { browser: ada, body: { token: own } });
		const left = await world.database.query(`select "tenantId" from "user"`);
		expect(left).toEqual([{ tenantId: world.b }]);
		expect(await world.database.query(`select "tenantId" from "account"`)).toEqual(left);
		expect(await emailOf(ada)).toBe(fixed ? undefined : "ada@example.com");
		expect(await emailOf(neighbor)).toBe("ada@example.com");
		await world.ok("/delete-user", { browser: neighbor, body: { token: foreign } });
		expect(await world.database.query(`select "id" from "user"`)).toEqual([]);
	});
});
