import { magicLink } from "better-auth/plugins/magic-link";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";

describe("a magic link", () => {
	// threat 2
	it("signs in a new browser, in its own tenant only", async () => {
		const links: { url: string; token: string }[] = [];
		const world = await createWorld({ plugins: [magicLink({ sendMagicLink: async (link) => void links.push(link) })] });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const ask = () =>
			world.call("/sign-in/magic-link", { tenant: a, body: { email: "ada@example.com", callbackURL: "/home" } });
		await ask();
		const token = links[0]?.token ?? "";
		for (const stolen of [token, token.split("~")[0] ?? ""]) {
			const tried = await world.call("/magic-link/verify", {
				tenant: b,
				query: { token: stolen, callbackURL: "/home" },
			});
			expect(tried.location).toContain("error=");
		}
		// from a session of the other tenant, the link still signs in to its own
		const browser = await world.signUp(b, "grace@example.com");
		expect((await world.call(links[0]?.url ?? "", { browser })).location).toBe("http://localhost:3000/home");
		expect((await world.call("/get-session", { browser })).json).toMatchObject({
			session: { tenantId: a },
			user: { email: "ada@example.com" },
		});
		expect(
			(await world.database.query('select "tenantId" from "user" order by "email"')).map((row) => row.tenantId),
		).toEqual([a, b]);
	});
});
