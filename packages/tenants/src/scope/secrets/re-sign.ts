import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { readingContext } from "../../engine/hook.ts";
import {
	type SigningKeys,
	signCacheAgain,
	signCookieAgain,
	signJwtAgain,
	signTrustedDeviceAgain,
} from "../../engine/re-sign.ts";
import { addCookie, readCookies, replaceCookies, type SentCookie } from "../../engine/request-cookies.ts";
import { chunkIndex, ownCookieNames, signedCacheFormat, trustedDeviceCookie } from "../../engine/signed-cookies.ts";
import { valueOfSigned } from "../../engine/signed-value.ts";
import { percentDecoded } from "../../lib/percent-decoded.ts";
import { noteDispatch } from "../pin/dispatch.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { SecretVersions } from "./secret-versions.ts";

export type ReSigning = ReturnType<typeof createReSigning>;

/**
 * Lets all configured secrets verify, while the first one signs. Better Auth verifies signatures with its first secret only.
 * So what another secret of the pinned tenant signed is signed again with the first, in the copy of the request that the
 * engine reads. Endpoints and plugins need not know. The new signatures do not leave the process.
 *
 * See docs/decisions/0030-all-secrets-verify.md.
 */
export const createReSigning = (versions: SecretVersions) => ({
	/** Signs cookies, and a bearer token, again. Returns a context that reads them. Costs one HMAC for each signed cookie. */
	request: async (ctx: GenericEndpointContext, tenantId: string): Promise<GenericEndpointContext> => {
		if (!ctx.headers?.has("cookie") && !ctx.headers?.has("authorization")) return ctx;
		const sent = ctx.headers.get("cookie") ?? "";
		const keys = await versions(tenantId);
		const cookies = readCookies(sent, ownCookieNames(ctx.context));
		const changed = await signCookies(ctx, keys, cookies);
		const added = await signAdded(ctx, keys, cookies);
		if (changed.length === 0 && added.length === 0) return ctx;
		const header = added.reduce((rest, { name, value }) => addCookie(rest, name, value), replaceCookies(sent, changed));
		// the engine copies the headers for each dispatch, so this changes neither the caller's request nor another one
		ctx.headers.set("cookie", header);
		noteDispatch(ctx.context, { reSigned: [...changed, ...added].map(({ name }) => name) });
		return readingContext(ctx);
	},

	/** A token from an email, signed again if it has to be. */
	token: async (token: string, tenantId: string): Promise<string> =>
		(token.includes(".") && (await signJwtAgain(await versions(tenantId), token))) || token,

	/** The value of a cookie of the platform, if a secret other than the first signed it. */
	platformValue: async (signed: string | null): Promise<string | null> => {
		const again = signed && (await signCookieAgain(await versions(PLATFORM), signed));
		return again ? valueOfSigned(again) : null;
	},
});

type Cookies = ReadonlyMap<string, SentCookie>;
type NewCookie = Pick<SentCookie, "name" | "value">;

const signCookies = async (ctx: GenericEndpointContext, keys: SigningKeys, cookies: Cookies): Promise<SentCookie[]> => {
	const { context } = ctx;
	const changed: SentCookie[] = [];
	for (const cookie of cookies.values()) {
		const again =
			cookie.name === context.authCookies.sessionData.name
				? await signCache(ctx, keys, cookie.value)
				: cookie.name === trustedDeviceCookie(context) && endpointOf(ctx.path).kind === "entry"
					? await signTrustedDeviceAgain(keys, cookie.value, async (identifier) => {
							const device = await context.internalAdapter.findVerificationValue(identifier);
							return device?.value;
						})
					: await signCookieAgain(keys, cookie.value);
		if (again !== null) changed.push({ ...cookie, value: again });
	}
	return changed;
};

const signCache = async (ctx: GenericEndpointContext, keys: SigningKeys, value: string): Promise<string | null> => {
	const format = signedCacheFormat(ctx.context);
	if (format === null) return null;
	return format === "jwt" ? signJwtAgain(keys, value) : signCacheAgain(keys, value);
};

/** Values that the request carries in another form: a cookie cache in parts, and a session in the authorization header. */
const signAdded = async (ctx: GenericEndpointContext, keys: SigningKeys, cookies: Cookies): Promise<NewCookie[]> => {
	const { sessionData, sessionToken } = ctx.context.authCookies;
	const parts = cookies.has(sessionData.name) ? null : joinParts(sessionData.name, cookies);
	const cache = parts && (await signCache(ctx, keys, parts));
	const bearer = bearerToken(ctx);
	const session = bearer && (await signCookieAgain(keys, bearer));
	return [
		...(cache ? [{ name: sessionData.name, value: cache }] : []),
		...(session ? [{ name: sessionToken.name, value: session }] : []),
	];
};

/** The engine reads the parts only if there is no whole cookie. */
const joinParts = (cookieName: string, cookies: Cookies): string | null => {
	const parts = [...cookies.values()].flatMap(({ name, value }) => {
		const index = chunkIndex(cookieName, name);
		return index === null ? [] : [{ index, value }];
	});
	if (parts.length === 0) return null;
	return parts
		.toSorted((one, other) => one.index - other.index)
		.map(({ value }) => value)
		.join("");
};

/**
 * The signed token in the authorization header, if the bearer plugin is installed. The plugin ignores a header that its
 * secret did not sign, and turns any other into the session cookie. So this one becomes the session cookie here.
 */
const bearerToken = (ctx: GenericEndpointContext): string | null => {
	if (!ctx.context.hasPlugin("bearer")) return null;
	const header = ctx.request?.headers.get("authorization") || ctx.headers?.get("authorization") || "";
	if (header.slice(0, 7).toLowerCase() !== "bearer ") return null;
	const token = header.slice(7).trim();
	return token.includes("%") ? percentDecoded(token) : token;
};
