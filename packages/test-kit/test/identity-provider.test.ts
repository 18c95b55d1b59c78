import { createHash, randomBytes } from "node:crypto";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { afterEach, describe, expect, it } from "vitest";
import { type IdentityProvider, type Person, startIdentityProvider } from "../src/identity-provider.ts";

const baseURL = "http://localhost:3000/api/auth";
const ada: Person = { sub: "ada-1", email: "ada@example.com", name: "Ada" };
type Account = { id: string; accessToken: string; refreshToken: string; idToken: string };
const running: IdentityProvider[] = [];

afterEach(async () => {
	await Promise.all(running.splice(0).map((identityProvider) => identityProvider.close()));
});

const startWorld = async (microsoft: { tenantId?: string } = {}) => {
	const identityProvider = await startIdentityProvider();
	running.push(identityProvider);
	const credentials = (id: string) => ({ clientId: `${id}-client`, clientSecret: `${id}-secret` });
	for (const id of ["gitlab", "microsoft"]) {
		identityProvider.addClient({ ...credentials(id), redirectURIs: [`${baseURL}/callback/${id}`] });
	}
	const rows = { user: [], session: [], account: [] as Account[], verification: [] };
	const auth = betterAuth({
		baseURL: "http://localhost:3000",
		secret: "a secret of these tests, long enough to be one",
		database: memoryAdapter(rows),
		socialProviders: {
			gitlab: { ...credentials("gitlab"), ...identityProvider.gitlab },
			microsoft: { ...credentials("microsoft"), ...identityProvider.microsoft, ...microsoft },
		},
		rateLimit: { enabled: false },
		logger: { disabled: true },
	});
	const start = async (provider: string) => {
		const response = await auth.handler(
			new Request(`${baseURL}/sign-in/social`, {
				method: "POST",
				headers: { "content-type": "application/json", origin: "http://localhost:3000" },
				body: JSON.stringify({ provider, callbackURL: "/home" }),
			}),
		);
		const { url } = (await response.json()) as { url: string };
		return { url, cookie: cookiesOf(response) };
	};
	const finish = async (callbackURL: string, cookie: string) => {
		const response = await auth.handler(new Request(callbackURL, { headers: { cookie } }));
		const session = await auth.api.getSession({ headers: new Headers({ cookie: cookiesOf(response) }) });
		return { location: response.headers.get("location"), session };
	};
	const signIn = async (provider: string, person: Person) => {
		const { url, cookie } = await start(provider);
		return finish(await identityProvider.authorize(url, person), cookie);
	};
	return { auth, identityProvider, rows, start, finish, signIn };
};

const cookiesOf = (response: Response) =>
	response.headers
		.getSetCookie()
		.map((cookie) => cookie.split(";")[0])
		.join("; ");

const emailIn = (idToken: string) => {
	const [, payload = ""] = idToken.split(".");
	return (JSON.parse(Buffer.from(payload, "base64url").toString()) as { email: string }).email;
};

/** Replaces the engine's PKCE challenge with one whose verifier the test knows, so it can redeem the code itself. */
const withOwnVerifier = (authorizationURL: string) => {
	const url = new URL(authorizationURL);
	const verifier = randomBytes(32).toString("base64url");
	url.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
	const clientId = url.searchParams.get("client_id") ?? "";
	const redeem = (callbackURL: string, sent = verifier) => {
		const body = new URLSearchParams({
			grant_type: "authorization_code",
			code: new URL(callbackURL).searchParams.get("code") ?? "",
			redirect_uri: url.searchParams.get("redirect_uri") ?? "",
			client_id: clientId,
			client_secret: clientId.replace("-client", "-secret"),
		});
		if (sent) body.set("code_verifier", sent);
		return fetch(`${url.origin}${url.pathname.replace(/authorize$/, "token")}`, { method: "POST", body });
	};
	return { url: url.href, redeem };
};

describe.each(["gitlab", "microsoft"])("Better Auth's %s provider", (provider) => {
	it("signs a user in and finds the same account again", async () => {
		const { identityProvider, rows, signIn } = await startWorld();
		const first = await signIn(provider, ada);
		expect(first.location).toBe("/home");
		expect(first.session?.user).toMatchObject({ email: ada.email, name: "Ada", emailVerified: true });
		const second = await signIn(provider, ada);
		expect(second.session?.user.id).toBe(first.session?.user.id);
		expect(rows.user).toHaveLength(1);
		expect(rows.account).toMatchObject([{ providerId: provider, accountId: "ada-1" }]);
		expect(identityProvider.tokenRequests).toEqual(
			Array(2).fill({
				clientId: `${provider}-client`,
				clientSecret: `${provider}-secret`,
				redirectURI: `${baseURL}/callback/${provider}`,
				codeVerifier: true,
			}),
		);
	});

	it("passes an unverified email on as unverified", async () => {
		const { signIn } = await startWorld();
		const { session } = await signIn(provider, { ...ada, emailVerified: false });
		expect(session?.user.emailVerified).toBe(false);
	});

	it("isolates fifty parallel sign-ins of one subject", async () => {
		const { identityProvider, start } = await startWorld();
		const emails = Array.from({ length: 50 }, (_, index) => `ada-${index}@example.com`);
		const seen = await Promise.all(
			emails.map(async (email) => {
				const { url, redeem } = withOwnVerifier((await start(provider)).url);
				const callbackURL = await identityProvider.authorize(url, { ...ada, email });
				const tokens = (await (await redeem(callbackURL)).json()) as { access_token: string; id_token?: string };
				if (tokens.id_token) return emailIn(tokens.id_token);
				const user = await fetch(`${identityProvider.gitlab.issuer}/api/v4/user`, {
					headers: { authorization: `Bearer ${tokens.access_token}` },
				});
				return ((await user.json()) as { email: string }).email;
			}),
		);
		expect(seen).toEqual(emails);
	});

	it("gives each of fifty parallel sign-ins its own user", async () => {
		const { signIn } = await startWorld();
		const emails = Array.from({ length: 50 }, (_, index) => `person-${index}@example.com`);
		const results = await Promise.all(emails.map((email) => signIn(provider, { sub: email, email })));
		expect(results.map(({ session }) => session?.user.email)).toEqual(emails);
	});

	it("rejects an unregistered redirect URI and an unknown client", async () => {
		const { identityProvider, start } = await startWorld();
		const { url } = await start(provider);
		const foreign = new URL(url);
		foreign.searchParams.set("redirect_uri", `${baseURL}/callback/${provider}/`);
		await expect(identityProvider.authorize(foreign.href, ada)).rejects.toThrow("invalid_redirect_uri");
		const unknown = new URL(url);
		unknown.searchParams.set("client_id", "nobody");
		await expect(identityProvider.authorize(unknown.href, ada)).rejects.toThrow("invalid_client");
	});

	it("rejects a wrong client secret and still records the request", async () => {
		const { identityProvider, rows, start, finish } = await startWorld();
		const { url, cookie } = await start(provider);
		const callbackURL = await identityProvider.authorize(url, ada);
		identityProvider.addClient({
			clientId: `${provider}-client`,
			clientSecret: "rotated",
			redirectURIs: [`${baseURL}/callback/${provider}`],
		});
		expect((await finish(callbackURL, cookie)).location).toContain("error=invalid_code");
		expect(identityProvider.tokenRequests).toMatchObject([{ clientSecret: `${provider}-secret` }]);
		expect(rows.user).toHaveLength(0);
	});

	it("accepts a code once, and only with its verifier", async () => {
		const { identityProvider, start } = await startWorld();
		const first = withOwnVerifier((await start(provider)).url);
		const callbackURL = await identityProvider.authorize(first.url, ada);
		expect((await first.redeem(callbackURL)).status).toBe(200);
		expect((await first.redeem(callbackURL)).status).toBe(400);
		const second = withOwnVerifier((await start(provider)).url);
		expect((await second.redeem(await identityProvider.authorize(second.url, ada), "")).status).toBe(400);
		expect(identityProvider.tokenRequests.map(({ codeVerifier }) => codeVerifier)).toEqual([true, true, false]);
	});

	it("returns a refresh token that Better Auth can use", async () => {
		const { auth, rows, signIn } = await startWorld();
		const { session } = await signIn(provider, ada);
		const { id, accessToken } = { ...rows.account[0] };
		const refreshed = await auth.api.refreshToken({ body: { accountId: id ?? "", userId: session?.user.id } });
		expect(refreshed.accessToken).toBeTruthy();
		expect(refreshed.accessToken).not.toBe(accessToken);
	});
});

it("signs Microsoft's ID tokens so that Better Auth accepts them, for a named tenant and for common", async () => {
	for (const tenantId of [undefined, "common", "organizations"]) {
		const { auth, rows, signIn } = await startWorld(tenantId ? { tenantId } : {});
		await signIn("microsoft", ada);
		const [account] = rows.account;
		const signedIn = await auth.api.signInSocial({
			body: { provider: "microsoft", idToken: { token: account?.idToken ?? "" } },
		});
		expect(signedIn).toMatchObject({ user: { email: ada.email } });
	}
});

it("runs several identity providers side by side", async () => {
	const [first, second] = [await startWorld(), await startWorld()];
	expect(first.identityProvider.gitlab.issuer).not.toBe(second.identityProvider.gitlab.issuer);
	await first.signIn("gitlab", ada);
	expect(second.identityProvider.tokenRequests).toHaveLength(0);
});
