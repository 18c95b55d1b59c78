import { passkey } from "@better-auth/passkey";
import { createAuthenticator } from "test-kit/authenticator";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";

const newKey = () => createAuthenticator({ origin: ORIGIN, rpId: "localhost" });

describe.each(["sqlite", "postgres"] as const)("passkeys on %s", (database) => {
	it("registers, signs in with, renames and deletes passkeys in two tenants, for users of the same name", async () => {
		const world = await composedWorld([passkey({ rpID: "localhost", origin: ORIGIN })], { database });
		const { a, b, ok, call } = world;
		const keys = new Map<string, ReturnType<typeof newKey>>();
		for (const tenant of [a, b]) {
			const browser = await world.signUp(tenant, "ada@example.com");
			const key = newKey();
			keys.set(tenant, key);
			const options = (await ok("/passkey/generate-register-options", { browser, query: { name: "ada" } })).json;
			const body = { response: key.register(options), name: "ada's phone" };
			await ok("/passkey/verify-registration", { browser, body });
			const listed = (await ok("/passkey/list-user-passkeys", { browser })).json;
			expect(listed.map(({ name, credentialID }) => [name, credentialID])).toEqual([["ada's phone", key.id]]);
			const renamed = { id: listed[0]?.id, name: "ada's other phone" };
			expect((await ok("/passkey/update-passkey", { browser, body: renamed })).json.passkey.name).toBe(renamed.name);
		}

		const signIn = async (tenant: string, key: ReturnType<typeof newKey>) => {
			const browser = new Browser();
			const options = (await ok("/passkey/generate-authenticate-options", { tenant, browser })).json;
			const body = { response: key.authenticate(options) };
			return { browser, ...(await call("/passkey/verify-authentication", { tenant, browser, body })) };
		};
		for (const [tenant, key] of keys) {
			const { browser, status } = await signIn(tenant, key);
			expect(status).toBe(200);
			expect((await world.whoami(browser)).user).toMatchObject({ tenantId: tenant, email: "ada@example.com" });
			const other = await signIn(tenant === a ? b : a, key);
			expect([other.status, other.code]).toEqual([401, "PASSKEY_NOT_FOUND"]);
		}
		const [key] = keys.values();
		const { browser } = await signIn(a, key ?? newKey());
		const [own] = (await ok("/passkey/list-user-passkeys", { browser })).json;
		await ok("/passkey/delete-passkey", { browser, body: { id: own?.id } });
		expect(await world.tenantsOf("passkey")).toEqual([b]);
	});
});
