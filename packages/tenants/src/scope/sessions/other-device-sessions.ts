import type { HookEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { isAPIError } from "better-auth/api";
import { expireCookie } from "better-auth/cookies";
import type { HookContext } from "../../engine/hook.ts";
import { readCookies } from "../../engine/request-cookies.ts";
import { isDeviceSessionCookie } from "../../engine/signed-cookies.ts";
import { valueOfSigned } from "../../engine/signed-value.ts";
import { readTag } from "../pin/tag.ts";
import { pinOf, runInKnownTenant } from "../pin/tenant-context.ts";
import { signedValuesOf } from "../secrets/signed-values.ts";

/** Whether a sign-out may leave sessions of other tenants in the browser: the multi-session plugin has a cookie for each. */
export const signsOutDevice = ({ headers, context }: HookEndpointContext): boolean =>
	context.hasPlugin("multi-session") &&
	!isAPIError(context.returned) &&
	headers instanceof Headers &&
	headers.has("cookie");

/**
 * Ends the sessions of this browser in other tenants, as Better Auth ends those that it knows: somebody else at the same computer
 * could set one active again without a password. Each cookie must have the signature of its own tenant, and its session is ended
 * there. Costs one signature and one statement for each.
 */
export const endOtherDeviceSessions = createAuthMiddleware(async (ctx: HookContext) => {
	const pin = pinOf(ctx);
	const signedValue = signedValuesOf(ctx);
	const { sessionToken } = ctx.context.authCookies;
	const sent = readCookies(ctx.headers?.get("cookie") ?? "", isDeviceSessionCookie(ctx.context));
	for (const { name, value: signed } of sent.values()) {
		const tenantId = tenantOf(signed);
		// the multi-session plugin ends those of the request's own tenant
		if (tenantId === null || tenantId === pin.current()) continue;
		const token = await signedValue(tenantId, signed);
		if (token === null) continue;
		await runInKnownTenant(tenantId, () => ctx.context.internalAdapter.deleteSession(token));
		expireCookie(ctx, { name, attributes: sessionToken.attributes });
	}
});

/** The tenant that a signed session token names. */
const tenantOf = (signed: string): string | null => readTag(valueOfSigned(signed))?.tenantId ?? null;
