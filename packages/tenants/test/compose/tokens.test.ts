import { deviceAuthorization, oneTimeToken } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { passTime } from "test-kit/pass-time";
import { describe, expect, it } from "vitest";

const poll = (device_code: string) => ({
	grant_type: "urn:ietf:params:oauth:grant-type:device_code",
	device_code,
	client_id: "tv",
});

describe.each(["sqlite", "postgres"] as const)("tokens that name their tenant, on %s", (database) => {
	it("a device code: polled without a hint, signs in to the tenant of the user who approved it", async () => {
		const plugin = deviceAuthorization({ verificationUri: "/device", interval: "1s" });
		const { a, b, ok, call, signUp } = await composedWorld([plugin], { database });
		for (const tenant of [a, b]) {
			const codes = (await ok("/device/code", { tenant, body: { client_id: "tv" } })).json;
			const early = await call("/device/token", { body: poll(codes.device_code) });
			expect(early.json.error).toBe("authorization_pending");
			const browser = await signUp(tenant, "ada@example.com");
			const user_code = codes.user_code;
			// a page without a session may look up the code
			expect((await ok("/device", { query: { user_code } })).json.status).toBe("pending");
			const other = tenant === a ? b : a;
			expect((await call("/device", { tenant: other, query: { user_code } })).json.error).toBe("invalid_request");
			await ok("/device", { browser, query: { user_code } });
			await ok("/device/approve", { browser, body: { userCode: user_code } });
			passTime(1_100);
			const misled = await call("/device/token", { tenant: other, body: poll(codes.device_code) });
			expect(misled.json.error).toBe("invalid_grant");
			const token = (await ok("/device/token", { body: poll(codes.device_code) })).json.access_token;
			expect(token).toContain("~");
			expect((await call("/device/token", { body: poll(codes.device_code) })).json.error).toBe("invalid_grant");
		}
	});

	it.each(["plain", "hashed"] as const)(
		"a one-time token stored as %s: works without a hint, once",
		async (storeToken) => {
			const { a, b, ok, call, signUp, whoami } = await composedWorld([oneTimeToken({ storeToken })], { database });
			for (const tenant of [a, b]) {
				const { token } = (await ok("/one-time-token/generate", { browser: await signUp(tenant, "ada@example.com") }))
					.json;
				const other = tenant === a ? b : a;
				expect((await call("/one-time-token/verify", { tenant: other, body: { token } })).status).toBe(400);
				const browser = new Browser();
				await ok("/one-time-token/verify", { browser, body: { token } });
				expect((await whoami(browser)).user.tenantId).toBe(tenant);
				expect((await call("/one-time-token/verify", { body: { token } })).status).toBe(400);
			}
		},
	);
});
