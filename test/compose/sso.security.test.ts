import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sso } from "@better-auth/sso";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { Browser } from "../support/browser.ts";
import { composedWorld } from "./support/composed-world.ts";

/** An OpenID provider that says of everybody that he is the same person. */
const startProvider = async (email: string) => {
	const { publicKey, privateKey } = await generateKeyPair("RS256");
	const keys = [{ ...(await exportJWK(publicKey)), kid: "key", alg: "RS256", use: "sig" }];
	let issuer = "";
	const token = () =>
		new SignJWT({ email, email_verified: true, name: "Ada" })
			.setProtectedHeader({ alg: "RS256", kid: "key" })
			.setIssuer(issuer)
			.setAudience("client")
			.setSubject("subject")
			.setIssuedAt()
			.setExpirationTime("5m")
			.sign(privateKey);
	const server = createServer(async (request, response) => {
		const answer =
			request.url === "/jwks" ? { keys } : { access_token: "access", token_type: "Bearer", id_token: await token() };
		response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		issuer,
		registration: {
			providerId: "corp",
			issuer,
			domain: "corp.example",
			oidcConfig: {
				clientId: "client",
				clientSecret: "secret",
				skipDiscovery: true,
				authorizationEndpoint: `${issuer}/authorize`,
				tokenEndpoint: `${issuer}/token`,
				jwksEndpoint: `${issuer}/jwks`,
				pkce: true,
			},
		},
	};
};

describe.each(["sqlite", "postgres"] as const)("single sign-on for two tenants, on %s", (database) => {
	// threats 5, 12 and 65
	it("signs people in to the tenant that registered the provider, by its name or their domain, and to no other", async () => {
		const provider = await startProvider("ada@corp.example");
		const engine = { trustedOrigins: [provider.issuer] };
		const world = await composedWorld([sso({ trustEmailVerified: true })], { database, engine });
		const { a, b, ok, call, signUp, whoami } = world;
		const start = async (tenant: string, body: object) => {
			const browser = new Browser();
			const answer = await call("/sign-in/sso", { tenant, browser, body: { callbackURL: "/home", ...body } });
			const state = answer.json?.url ? (new URL(answer.json.url).searchParams.get("state") ?? "") : "";
			return { browser, state, answer };
		};
		const finish = (browser: Browser, state: string, tenant?: string) =>
			call("/sso/callback/corp", { tenant, browser, query: { state, code: "code" } });

		await ok("/sso/register", { browser: await signUp(a, "admin@acme.example"), body: provider.registration });
		// the neighbour knows neither the name nor the domain, and may take both
		for (const body of [{ providerId: "corp" }, { email: "ada@corp.example" }]) {
			expect((await start(b, body)).answer.status).toBe(404);
		}
		await ok("/sso/register", { browser: await signUp(b, "admin@globex.example"), body: provider.registration });

		for (const tenant of [a, b]) {
			for (const body of [{ providerId: "corp" }, { email: "ada@corp.example" }]) {
				const { browser, state } = await start(tenant, body);
				const misled = await finish(browser.copy(), state, tenant === a ? b : a);
				expect(misled.headers.getSetCookie().join()).not.toContain("session_token");
				// the provider's redirect carries no hint: the state says the tenant
				const done = await finish(browser, state);
				expect([body, done.location]).toEqual([body, "/home"]);
				expect((await whoami(browser)).user).toMatchObject({ tenantId: tenant, email: "ada@corp.example" });
				expect((await finish(browser.copy(), state)).location).not.toBe("/home");
			}
		}
		const people = await world.database.query(`select "id" from "user" where "email" = 'ada@corp.example'`);
		expect(people).toHaveLength(2);
		await ok("/sso/delete-provider", { browser: await adminOf(world, b), body: { providerId: "corp" } });
		expect(await world.tenantsOf("ssoProvider")).toEqual([a]);
	});
});

const adminOf = async (
	{ ok }: Pick<Awaited<ReturnType<typeof composedWorld>>, "ok">,
	tenant: string,
): Promise<Browser> => {
	const browser = new Browser();
	const body = { email: "admin@globex.example", password: "correct horse battery" };
	await ok("/sign-in/email", { tenant, browser, body });
	return browser;
};
