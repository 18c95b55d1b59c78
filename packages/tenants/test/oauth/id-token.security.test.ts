import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Browser } from "test-kit/browser";
import { json, startHostileProvider } from "test-kit/hostile-provider";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DIRECTORY, good, PATIENT, useHostileProvider } from "./support/hostile-target.ts";
import { count, createPair, register, userOf, VICTIM } from "./support/two-tenants.ts";

const { provider, createTarget, attempt } = useHostileProvider();
afterEach(() => vi.unstubAllGlobals());

describe("an ID token", () => {
	const claims = () => ({
		iss: `${provider().origin}/${DIRECTORY}/v2.0`,
		aud: "client",
		sub: "s",
		oid: "o-1",
		tid: DIRECTORY,
		name: "Ada",
		email: "ada@example.com",
		email_verified: true,
	});

	// threats 19 and 20
	it("is rejected for another client, from another issuer, expired, unsigned or signed by another key", async () => {
		const { world, a } = await createTarget("microsoft", PATIENT);
		const stranger = await startHostileProvider();
		const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims()))}.`.replace(/=/g, "");
		const tokens: [string, string][] = [
			["another audience", await provider().sign({ ...claims(), aud: "client-of-b" })],
			["no audience", await provider().sign({ ...claims(), aud: undefined })],
			["another issuer", await provider().sign({ ...claims(), iss: "https://evil.example" })],
			["no issuer", await provider().sign({ ...claims(), iss: undefined })],
			["unknown key", await provider().sign(claims(), { kid: "key-2" })],
			["another key's signature", await stranger.sign(claims())],
			["no signature", unsigned],
			["garbage", "a.b.c"],
			["not a token", "text"],
		];
		for (const [name, idToken] of tokens) {
			provider().token = json({ ...good, id_token: idToken });
			const { answer } = await attempt(world, a, "microsoft");
			expect([name, answer.location?.startsWith("/failed?error=")]).toEqual([name, true]);
		}
		expect(await world.database.query(`select count(*) as n from "user" where "tenantId" = '${a}'`)).toEqual([
			{ n: 0 },
		]);
		provider().token = json({ ...good, id_token: await provider().sign(claims()) });
		expect((await attempt(world, a, "microsoft")).answer.location).toBe("/home");
		await stranger.close();
	});

	// threat 20
	it("is rejected from a client if the tenant runs the server, even with a valid signature", async () => {
		const { world, a } = await createTarget("microsoft");
		const idToken = { token: await provider().sign(claims()) };
		const answer = await world.call("/sign-in/social", { tenant: a, body: { provider: "microsoft", idToken } });
		expect([answer.status, answer.code]).toEqual([404, "ID_TOKEN_NOT_SUPPORTED"]);
	});
});

/** Serves Google's keys as its own server does, and blocks all other calls. */
const stubGoogle = async () => {
	const { publicKey, privateKey } = await generateKeyPair("RS256");
	const keys = [{ ...(await exportJWK(publicKey)), kid: "key-1", alg: "RS256", use: "sig" }];
	const calls: string[] = [];
	vi.stubGlobal("fetch", async (input: unknown) => {
		calls.push(String(input instanceof Request ? input.url : input));
		return Response.json({ keys });
	});
	return { privateKey, calls };
};

describe("an ID token from a client", () => {
	// threat 20
	it("is rejected if another key signed it, at a tenant with its own Google client", async () => {
		const { world, a, b } = await createPair();
		await register(world, a, "google");
		await world.signUp(b, VICTIM);
		const google = await stubGoogle();
		const stranger = await generateKeyPair("RS256");
		const claims = { iss: "https://accounts.google.com", aud: "client-of-a", sub: "1", email: VICTIM };
		const sign = (key: CryptoKey, kid: string, changes: Record<string, unknown> = {}) =>
			new SignJWT({ ...claims, email_verified: true, name: "V", ...changes })
				.setProtectedHeader({ alg: "RS256", kid })
				.setIssuedAt()
				.setExpirationTime("5m")
				.sign(key);
		const unsigned = [{ alg: "none" }, { ...claims, exp: Math.floor(Date.now() / 1000) + 300 }, ""]
			.map((part) => (part === "" ? "" : Buffer.from(JSON.stringify(part)).toString("base64url")))
			.join(".");
		const forged: [string, string][] = [
			["another key with Google's key id", await sign(stranger.privateKey, "key-1")],
			["another key", await sign(stranger.privateKey, "key-2")],
			["another issuer", await sign(google.privateKey, "key-1", { iss: "https://evil.example" })],
			["another client", await sign(google.privateKey, "key-1", { aud: "client-of-b" })],
			["no signature", unsigned],
		];
		const handIn = (token: string, browser: Browser) =>
			world.call("/sign-in/social", { tenant: a, browser, body: { provider: "google", idToken: { token } } });
		for (const [name, token] of forged) {
			const browser = new Browser();
			const answer = await handIn(token, browser);
			expect([name, answer.status, answer.code]).toEqual([name, 401, "INVALID_TOKEN"]);
			// the tenant's endpoint ignores ID tokens and starts a sign-in at Google
			const started = await world.call("/tenant/sign-in/social", {
				browser,
				body: { tenantId: a, provider: "google", idToken: { token } },
			});
			expect(new URL(started.json.url).origin).toBe("https://accounts.google.com");
			expect([name, await userOf(world, browser)]).toEqual([name, null]);
		}
		expect(await count(world, "user", `"tenantId" = '${a}'`)).toBe(0);
		const browser = new Browser();
		expect((await handIn(await sign(google.privateKey, "key-1"), browser)).status).toBe(200);
		expect((await userOf(world, browser)).tenantId).toBe(a);
	});
});
