import { startSmtp } from "test-kit/servers/smtp";
import { afterEach, expect, it } from "vitest";
import { PLUGIN_NAMES } from "../../src/config/plugins.ts";
import { checkSchema } from "../../src/schema/schema-check.ts";
import { EVERY_PLUGIN, PLUGIN_VARIABLES } from "../support/every-plugin.ts";
import { makeWorld } from "./world.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

/** An endpoint of each plugin. It exists if an empty request does not return 404. */
const ENDPOINTS: Record<string, [path: string, body?: object]> = {
	admin: ["/admin/list-users"],
	"api-key": ["/api-key/create", {}],
	"device-authorization": ["/device/code", {}],
	"email-otp": ["/email-otp/send-verification-otp", {}],
	jwt: ["/jwks"],
	"magic-link": ["/sign-in/magic-link", {}],
	"multi-session": ["/multi-session/list-device-sessions"],
	"oauth-provider": ["/oauth2/token", {}],
	"open-api": ["/open-api/generate-schema"],
	organization: ["/organization/list"],
	passkey: ["/passkey/list-user-passkeys"],
	"phone-number": ["/phone-number/send-otp", {}],
	scim: ["/scim/v2/Users"],
	sso: ["/sso/providers"],
	"tenant-admin": ["/tenant/user/list"],
	"tenant-invitations": ["/tenant/invitation/list"],
	"two-factor": ["/two-factor/enable", {}],
	username: ["/is-username-available", {}],
};

/** The plugins that another one needs. */
const NEEDED: Record<string, string[]> = {
	"oauth-provider": ["jwt"],
	"tenant-admin": ["admin"],
	"tenant-invitations": ["tenant-admin", "admin"],
};

it("starts with all plugins, and with none", async () => {
	const smtp = await startSmtp();
	closers.push(smtp.close);
	const mail = { SMTP_URL: smtp.url, MAIL_FROM: "Example <auth@example.com>" };
	const all = await makeWorld({ ...EVERY_PLUGIN, ...mail, REQUIRE_EMAIL_VERIFICATION: "false" });
	closers.push(all.close);
	expect(await checkSchema(all.auth, all.pool)).toEqual([]);
	const none = all.open({ PLUGINS: "" });
	for (const [name, [path, body]] of Object.entries(ENDPOINTS)) {
		const ask = (process: typeof none) => process.call(path, { tenant: all.acme.id, ...(body ? { body } : {}) });
		expect([name, (await ask(all)).status]).not.toEqual([name, 404]);
		expect([name, (await ask(none)).status]).toEqual([name, 404]);
	}
	// bearer has no endpoint: it accepts a token instead of a cookie
	const { json } = await all.signUp(all.acme.id, "ada@example.com");
	const headers = { authorization: `Bearer ${json.token}` };
	expect((await all.call("/get-session", { headers })).json.session).toMatchObject({ tenantId: all.acme.id });
	expect((await none.call("/get-session", { headers })).text).toBe("null");
});

it.each(PLUGIN_NAMES)("migrates for %s alone, and serves two tenants", { timeout: 60_000 }, async (name) => {
	const world = await makeWorld({
		...PLUGIN_VARIABLES,
		PLUGINS: [name, ...(NEEDED[name] ?? [])].join(","),
		SMTP_URL: EVERY_PLUGIN.SMTP_URL,
		MAIL_FROM: EVERY_PLUGIN.MAIL_FROM,
		REQUIRE_EMAIL_VERIFICATION: "false",
	});
	closers.push(world.close);
	expect(await checkSchema(world.auth, world.pool)).toEqual([]);
	const [path, body] = ENDPOINTS[name] ?? ["/get-session"];
	for (const { id } of [world.acme, world.globex]) {
		expect((await world.signUp(id, "ada@example.com")).status).toBe(200);
		expect((await world.call(path, { tenant: id, ...(body ? { body } : {}) })).status).not.toBe(404);
	}
});

it("works without mail: two factors by an app, organizations without invitation mails, no change of address", async () => {
	const world = await makeWorld({ PLUGINS: "two-factor,organization" });
	closers.push(world.close);
	const { json } = await world.signUp(world.acme.id, "ada@example.com");
	expect(json.token).toEqual(expect.any(String));
	const { options } = world.auth;
	expect(options.emailAndPassword).not.toHaveProperty("sendResetPassword");
	expect(options.emailVerification).not.toHaveProperty("sendVerificationEmail");
	expect(options.user).not.toHaveProperty("changeEmail");
});
