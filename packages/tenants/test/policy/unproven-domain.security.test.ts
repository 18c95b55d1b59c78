import { anonymous } from "better-auth/plugins";
import { expect, it } from "vitest";
import { policyWorld } from "./support/policy-world.ts";

// threat 114
it("admits no one by the domain of an email that nobody proved", async () => {
	const engine = { emailAndPassword: { enabled: true, requireEmailVerification: true } };
	const plugins = [anonymous({ emailDomainName: "acme.example" })];
	const { a, b, set, call, tenantsOf } = await policyWorld({ engine, plugins });
	await set(a, { signUp: "domain", emailDomains: ["acme.example"] });
	const refused = await call("/sign-in/anonymous", { tenant: a, body: {} });
	expect([refused.status, refused.code]).toEqual([403, "SIGN_UP_NOT_ALLOWED"]);
	expect((await call("/sign-in/anonymous", { tenant: b, body: {} })).status).toBe(200);
	expect(await tenantsOf("user")).toEqual([b]);
});
