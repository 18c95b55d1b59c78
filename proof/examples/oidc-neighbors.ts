import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { EMAIL, passwordAt } from "./oidc-journey.ts";
import { type Organization, openOidcVisitor } from "./oidc-visitor.ts";
import { sendTo } from "./send-to.ts";

type Given = {
	app: string;
	organizations: Organization[];
	withApplication: <Result>(known: Organization[], work: () => Promise<Result>) => Promise<Result>;
};

/** Brings codes, tokens and responses of one organization to the other. Each attempt is one that succeeds at its own. */
export const tryNeighbors = async (browser: Browser, { app, organizations, withApplication }: Given) => {
	const checks: string[] = [];
	const [acme, globex] = organizations;
	assert.ok(acme && globex);
	const context = await browser.newContext({ locale: "en-US" });
	context.setDefaultTimeout(60_000);
	try {
		await withApplication(organizations, async () => {
			const visitor = await openOidcVisitor(context, app);
			for (const { slug, name } of organizations) {
				await visitor.start(slug);
				await visitor.fill({ email: EMAIL, password: passwordAt(slug) });
				await visitor.button("Sign in").click();
				await visitor.signedIn(name);
			}
			/** Signs in to an organization again, and returns the response before the application sees it. */
			const response = (slug: string) => intercept(visitor.page, app, () => visitor.start(slug));
			const refuses = async (url: URL): Promise<void> => {
				assert.equal((await visitor.page.goto(url.href))?.status(), 400);
				assert.match(await visitor.error(), /did not sign you in|has expired/);
			};

			const fromGlobex = await response("globex");
			assert.equal(fromGlobex.searchParams.get("iss"), globex.issuer);
			fromGlobex.searchParams.set("iss", acme.issuer);
			await refuses(fromGlobex);
			const withForeignCode = await response("globex");
			withForeignCode.searchParams.set("code", (await response("acme")).searchParams.get("code") ?? "");
			await refuses(withForeignCode);
			const used = await response("globex");
			await visitor.page.goto(used.href);
			await visitor.signedIn("Globex");
			await refuses(used);
			checks.push(
				"the application refuses a response of another issuer, a code of another organization, and a used response",
			);

			await tryAtService(visitor.page, app, acme, globex);
			checks.push("Globex refuses a code and an access token of Acme, which Acme takes");
		});

		// an organization that was saved with the issuer and client of another, under its own tenant
		const { issuer, clientId, clientSecret } = acme;
		await withApplication([acme, { ...globex, issuer, clientId, clientSecret }], async () => {
			const visitor = await openOidcVisitor(context, app);
			await visitor.start("globex");
			assert.match(await visitor.error(), /Globex did not sign you in/);
			assert.equal(await visitor.card("Globex").count(), 0);
		});
		checks.push("a user of Acme is never shown as one of Globex, also with a wrong issuer in the application's data");
		return checks;
	} finally {
		await context.close();
	}
};

/** Leads the browser to the application's callback. Returns that URL, and the application never sees it. */
const intercept = async (page: Page, app: string, lead: () => Promise<unknown>): Promise<URL> => {
	// Playwright's own routes do not see the redirects of a request
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Fetch.enable", { patterns: [{ urlPattern: `${app}/callback?*` }] });
	let caught: URL | null = null;
	devtools.on("Fetch.requestPaused", ({ requestId, request }) => {
		caught = new URL(request.url);
		const body = Buffer.from("<title>Intercepted</title>").toString("base64");
		void devtools.send("Fetch.fulfillRequest", { requestId, responseCode: 200, body });
	});
	await lead();
	await page.waitForFunction(() => document.title === "Intercepted");
	await devtools.detach();
	assert.ok(caught);
	return caught;
};

/** Redeems a code of Acme with its right verifier: at Globex with either client, then at Acme. Does the same with the token. */
const tryAtService = async (page: Page, app: string, acme: Organization, globex: Organization): Promise<void> => {
	const verifier = randomBytes(32).toString("base64url");
	const redirectUri = `${app}/callback`;
	const query = new URLSearchParams({
		client_id: acme.clientId,
		redirect_uri: redirectUri,
		response_type: "code",
		scope: "openid profile email",
		state: "state",
		code_challenge: createHash("sha256").update(verifier).digest("base64url"),
		code_challenge_method: "S256",
	});
	const url = await intercept(page, app, () => page.goto(`${acme.issuer}/oauth2/authorize?${query}`));
	const redeem = (at: Organization, client: Organization) =>
		sendTo(
			at.issuer,
			"/api/auth/oauth2/token",
			{},
			{
				grant_type: "authorization_code",
				code: url.searchParams.get("code") ?? "",
				redirect_uri: redirectUri,
				code_verifier: verifier,
				client_id: client.clientId,
				client_secret: client.clientSecret,
			},
		);
	for (const client of [globex, acme]) {
		const { status } = await redeem(globex, client);
		assert.ok(status === 400 || status === 401, `Globex redeems a code of Acme: ${status}`);
	}
	const redeemed = await redeem(acme, acme);
	assert.equal(redeemed.status, 200, redeemed.text);
	const { access_token: token } = JSON.parse(redeemed.text) as { access_token: string };
	const userInfo = ({ issuer }: Organization) =>
		sendTo(issuer, "/api/auth/oauth2/userinfo", { authorization: `Bearer ${token}` });
	const foreign = await userInfo(globex);
	assert.equal(foreign.status, 401, foreign.text);
	assert.equal((await userInfo(acme)).status, 200);
};
