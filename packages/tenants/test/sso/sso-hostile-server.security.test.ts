import { describe, expect, it } from "vitest";
import { registration } from "./support/openid-server.ts";
import { startOwnServer } from "./support/own-openid-server.ts";
import { ssoWorld } from "./support/sso-world.ts";

const MEGABYTE = "a".repeat(1_000_000);
const CLAIMS = { sub: "1", email: "eve@corp.example" };

// threats 28 and 36
describe("a tenant's own SSO server", () => {
	it("is read up to 1 MB", async () => {
		let sent = 0;
		const evil = await startOwnServer(() => CLAIMS, {
			at: {
				"/token": (_, response) => {
					response.writeHead(200, { "content-type": "application/json" });
					response.write('{"access_token":"');
					const timer = setInterval(() => {
						sent += 1;
						response.write(MEGABYTE);
						if (sent < 40) return;
						clearInterval(timer);
						response.end('"}');
					}, 5);
					response.on("close", () => clearInterval(timer));
				},
			},
		});
		const world = await ssoWorld([evil.origin]);
		await world.registered(world.a, registration(evil.origin, "okta"));
		const { browser, url } = await world.begin(world.a);
		await world.call(await evil.visit(url.href), { browser });
		expect(sent).toBeLessThan(20);
	});

	it.each([
		["an email with a look-alike letter", { sub: "1", email: "ce\u043e@corp.example" }, "error=INVALID_EMAIL"],
		["an email with a trailing space", { sub: "1", email: "ceo@corp.example " }, "error=INVALID_EMAIL"],
		["an invalid email", { sub: "1", email: "the boss" }, "error=INVALID_EMAIL"],
		["an email with two hosts", { sub: "1", email: "ceo@corp.example@evil.example" }, "error=INVALID_EMAIL"],
		["a blank subject", { sub: " ", email: "eve@corp.example" }, "error="],
		["the subject undefined", { sub: "undefined", email: "eve@corp.example" }, "error="],
	])("creates no user with %s", async (_, claims, error) => {
		const evil = await startOwnServer(() => claims);
		const world = await ssoWorld([evil.origin]);
		await world.signUp(world.a, "ceo@corp.example");
		await world.registered(world.a, registration(evil.origin, "okta"));
		const { browser, url } = await world.begin(world.a);
		const answer = await world.call(await evil.visit(url.href), { browser });
		expect(answer.location).toContain(error);
		expect(await world.whoami(browser)).toBeNull();
	});

	it("sets no script URL as picture", async () => {
		const evil = await startOwnServer(() => ({ ...CLAIMS, picture: "javascript:alert(document.domain)" }));
		const world = await ssoWorld([evil.origin]);
		await world.registered(world.a, registration(evil.origin, "okta"));
		const { browser, url } = await world.begin(world.a);
		await world.call(await evil.visit(url.href), { browser });
		expect((await world.whoami(browser))?.image ?? null).toBeNull();
	});
});
