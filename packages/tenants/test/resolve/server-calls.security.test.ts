import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createHostedWorld } from "./support/hosted-world.ts";

describe("server code that sets the tenant and passes on the headers of a request", () => {
	// threat 87
	it.each([[["localhost:3000"]], [["localhost:*", "*.localhost:*"]], [["*"]]])(
		"sends links to the tenant's own host or the platform, with allowedHosts %s",
		async (allowedHosts) => {
			const { auth, lastMail, signUpAt, acme, addDomain } = await createHostedWorld({
				engine: { baseURL: { allowedHosts, fallback: "http://localhost:3000", protocol: "http" } },
			});
			await addDomain(acme, "login.acme.com");
			for (const host of ["acme.localhost", "globex.localhost"]) await signUpAt(host, "ada@example.com");
			const linkFor = async (sent?: Record<string, string>): Promise<string> => {
				const body = { email: "ada@example.com", redirectTo: "/reset" };
				const headers = sent && { headers: new Headers(sent) };
				await runWithTenant(acme, () => auth.api.requestPasswordReset({ body, ...headers }));
				return new URL(lastMail("reset").url).origin;
			};
			for (const [host, origin] of [
				["acme.localhost:3000", "http://acme.localhost:3000"],
				["acme.localhost:6666", "http://acme.localhost:3000"],
				["login.acme.com", "http://login.acme.com:3000"],
				["localhost:6666", "http://localhost:3000"],
				["globex.localhost:3000", "http://localhost:3000"],
				["unknown.localhost:3000", "http://localhost:3000"],
				["evil.example", "http://localhost:3000"],
				["acme.localhost, evil.example", "http://localhost:3000"],
			] as const)
				expect([host, await linkFor({ host })]).toEqual([host, origin]);
			expect(await linkFor({ "x-forwarded-host": "evil.example" })).toBe("http://localhost:3000");
			for (const sent of [{}, undefined]) expect(await linkFor(sent)).toBe("http://localhost:3000");
		},
	);

	// threat 87
	it("serves a request of another tenant's host as the platform: no link leads there, and its pages are not trusted", async () => {
		const { auth, lastMail, signUpAt, acme, globex, addDomain } = await createHostedWorld();
		// its owner can point the domain at a server of its own
		await addDomain(globex, "login.globex.com");
		await signUpAt("acme.localhost", "ada@example.com");
		await signUpAt("globex.localhost", "ada@example.com");
		const send = (host: string, headers: Record<string, string> = {}) =>
			runWithTenant(acme, () =>
				auth.handler(
					new Request(`http://${host}:3000/api/auth/request-password-reset`, {
						method: "POST",
						headers: { "content-type": "application/json", ...headers },
						body: JSON.stringify({ email: "ada@example.com", redirectTo: "/reset" }),
					}),
				),
			);
		for (const [host, origin] of [
			["acme.localhost", "http://acme.localhost:3000"],
			["login.globex.com", "http://localhost:3000"],
			["globex.localhost", "http://localhost:3000"],
		] as const) {
			expect((await send(host)).status).toBe(200);
			expect([host, new URL(lastMail("reset").url).origin]).toEqual([host, origin]);
		}
		const page = { origin: "http://login.globex.com:3000", cookie: "a=b" };
		expect((await send("login.globex.com", page)).status).toBe(403);
		expect((await send("unknown.localhost")).status).toBe(404);
	});
});
