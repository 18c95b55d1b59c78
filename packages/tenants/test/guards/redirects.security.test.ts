import { magicLink } from "better-auth/plugins/magic-link";
import { Browser } from "test-kit/browser";
import { REDIRECT_PAYLOADS } from "test-kit/redirect-payloads";
import { createWorld, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

const EMAIL = "ada@example.com";

/** The URL that a browser on our site would open. */
const leadsAway = (address: string | null | undefined): boolean => {
	const url = address ? URL.parse(address, `${ORIGIN}/api/auth/x`) : null;
	return url !== null && url.origin !== ORIGIN;
};

// threat 24
describe("a URL of another site, in any spelling", () => {
	it("is rejected by sign-in or stays on the site, and never causes a 500", async () => {
		const world = await createWorld();
		const tenant = await world.newTenant();
		await world.signUp(tenant, EMAIL);
		expect(REDIRECT_PAYLOADS.length).toBeGreaterThanOrEqual(80);
		for (const callbackURL of REDIRECT_PAYLOADS) {
			for (const path of ["/tenant/sign-in/email", "/sign-in/email"]) {
				const body = { email: EMAIL, password: PASSWORD, callbackURL };
				const { status, location, json } = await world.call(path, { tenant, body });
				expect([callbackURL, status < 500]).toEqual([callbackURL, true]);
				expect([callbackURL, leadsAway(location), leadsAway(json?.url)]).toEqual([callbackURL, false, false]);
			}
		}
	});

	it("is rejected in email links", async () => {
		const world = await createWorld();
		const tenant = await world.newTenant();
		await world.signUp(tenant, EMAIL);
		await world.call("/send-verification-email", { tenant, body: { email: EMAIL } });
		const { token } = world.lastMail("verify");
		for (const callbackURL of REDIRECT_PAYLOADS) {
			const answer = await world.call("/verify-email", { query: { token, callbackURL }, browser: new Browser() });
			expect([callbackURL, answer.status < 500, leadsAway(answer.location)]).toEqual([callbackURL, true, false]);
		}
	});
});

// threat 24
it("an invalid URL is rejected by a magic link, which stays valid", async () => {
	const world = await createWorld({
		plugins: [magicLink({ sendMagicLink: async ({ token }) => void tokens.push(token) })],
	});
	const tokens: string[] = [];
	const tenant = await world.newTenant();
	await world.call("/sign-in/magic-link", { tenant, body: { email: EMAIL } });
	const visit = (query: Record<string, string>) =>
		world.call("/magic-link/verify", { query: { token: tokens[0] ?? "", ...query } });
	for (const name of ["callbackURL", "newUserCallbackURL", "errorCallbackURL"]) {
		for (const url of REDIRECT_PAYLOADS) {
			const answer = await world.call("/magic-link/verify", { query: { token: "x", [name]: url } });
			expect([name, url, answer.status < 500, leadsAway(answer.location)]).toEqual([name, url, true, false]);
		}
		for (const url of ["https://%", "/%", "/%ff"])
			expect((await visit({ [name]: url })).code).toBe("INVALID_CALLBACK_URL");
	}
	expect((await visit({ callbackURL: "/home", newUserCallbackURL: "/welcome" })).location).toBe(`${ORIGIN}/welcome`);
});

// threat 24
it("rejects a path that no header can carry before it signs in", async () => {
	const world = await createWorld();
	const tenant = await world.newTenant();
	await world.signUp(tenant, EMAIL);
	const before = await world.database.query('select "id" from "session"');
	const body = { email: EMAIL, password: PASSWORD, callbackURL: "/\u560d\u560ax-injected: 1" };
	const answer = await world.call("/tenant/sign-in/email", { tenant, body });
	expect([answer.status, answer.code]).toEqual([403, "INVALID_CALLBACK_URL"]);
	expect(await world.database.query('select "id" from "session"')).toEqual(before);
});

it("accepts a reset path with letters of any script", async () => {
	const world = await createWorld();
	const tenant = await world.newTenant();
	await world.signUp(tenant, EMAIL);
	const redirectTo = "/\u0433\u043b\u0430\u0432\u043d\u0430\u044f";
	expect((await world.call("/request-password-reset", { tenant, body: { email: EMAIL, redirectTo } })).status).toBe(
		200,
	);
	const answer = await world.call(world.lastMail("reset").url);
	expect(new URL(answer.location ?? "", ORIGIN).pathname).toBe(encodeURI(redirectTo));
});
