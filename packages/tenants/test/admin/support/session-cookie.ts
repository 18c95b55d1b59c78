import type { Browser } from "test-kit/browser";
import type { World } from "test-kit/world";
import { contextOf } from "../../../src/engine/service.ts";
import { tenantSecretsOf } from "../../../src/scope/secrets/secrets.ts";

/** Puts a session of a tenant into a browser, signed as the server does. */
export const setSessionCookieFor = async (
	world: Pick<World, "auth">,
	tenantId: string,
	browser: Browser,
	token: string,
): Promise<void> => {
	const secrets = tenantSecretsOf(await contextOf(world.auth));
	const { authCookies } = await world.auth.$context;
	const { secret } = await secrets(tenantId);
	const key = await crypto.subtle.importKey(
		"raw",
		new TextEncoder().encode(secret),
		{ name: "HMAC", hash: "SHA-256" },
		false,
		["sign"],
	);
	const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(token)));
	const signed = `${token}.${btoa(String.fromCharCode(...signature))}`;
	browser.cookies.set(authCookies.sessionToken.name, encodeURIComponent(signed));
};
