import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";

const credentials = { email: "ada@example.com", password: "wrong password" };

// threat 61
it.each([
	"multipart/form-data application/json",
	"x-multipart/form-data; application/json",
	"application/x-www-form-urlencoded-application/json",
	"application/jsonapplication/x-www-form-urlencoded",
])("rejects a content type that only resembles a form's: %s", async (type) => {
	const world = await createWorld();
	const tenant = await world.newTenant();
	for (const path of ["/tenant/sign-in/email", "/sign-in/email", "/update-user"]) {
		const answer = await world.call(path, { tenant, body: credentials, headers: { "content-type": type } });
		expect([answer.status, answer.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
	}
});

it("reads forms and JSON with a charset as before", async () => {
	const world = await createWorld();
	const tenant = await world.newTenant();
	await world.signUp(tenant, credentials.email, credentials.password);
	const sent: [string, string][] = [
		["application/x-www-form-urlencoded; charset=utf-8", new URLSearchParams(credentials).toString()],
		["application/json; charset=utf-8", JSON.stringify(credentials)],
	];
	for (const [type, body] of sent) {
		const answer = await world.call("/tenant/sign-in/email", { tenant, body, headers: { "content-type": type } });
		expect(answer.status).toBe(200);
	}
});
