import { deviceAuthorization } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { expect, it } from "vitest";

it("resolves the tenant of a user code with a dash", async () => {
	const { a, ok, call } = await composedWorld([deviceAuthorization({ verificationUri: "/device" })]);
	const { user_code } = (await ok("/device/code", { tenant: a, body: { client_id: "tv" } })).json;
	const dashed = `${user_code.slice(0, 4)}-${user_code.slice(4)}`;
	expect((await call("/device", { tenant: a, query: { user_code: dashed } })).status).toBe(200);
	expect((await call("/device", { query: { user_code } })).status).toBe(200);
	expect((await call("/device", { query: { user_code: dashed } })).status).toBe(200);
});
