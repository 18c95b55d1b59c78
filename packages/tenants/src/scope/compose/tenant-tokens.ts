import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { getCurrentAuthEndpointContext } from "@better-auth/core/context";
import { type JwtOptions, jwt, signJWT, verifyJWT } from "better-auth/plugins/jwt";
import * as z from "zod";
import type { CurrentTenant } from "../data/schema.ts";
import { PLATFORM } from "../pin/platform.ts";
import { claimTenant, TENANT_CLAIM } from "./tenant-claim.ts";

type Sign = NonNullable<NonNullable<JwtOptions["jwt"]>["sign"]>;

/** The engine's default key pair. */
const DEFAULT_KEYS = { alg: "EdDSA", crv: "Ed25519" } as const;

/**
 * Adds the tenant claim to every token that is signed with the jwt plugin's options: `/token`, the header of
 * `/get-session`, and the OAuth provider's access, ID and logout tokens. `jwt.sign` adds it, because it runs after all
 * other sources of claims. So no user, client, resource or callback of the application can set it.
 */
export const sayTenantInTokens = <Plugin extends BetterAuthPlugin>(plugin: Plugin, current: CurrentTenant): Plugin => {
	if (plugin.id !== "jwt") return plugin;
	const given: JwtOptions | undefined = plugin.options;
	const options: JwtOptions = {
		...given,
		// if there is a signer, the OAuth provider reads the algorithm of `at_hash` from here
		jwks: { ...given?.jwks, keyPairConfig: given?.jwks?.keyPairConfig ?? DEFAULT_KEYS },
		jwt: { ...given?.jwt },
	};
	const scoped = jwt(options);
	// set after the plugin is created: it treats every signer as a remote one and would require `jwks.remoteUrl`
	options.jwt = { ...options.jwt, sign: createSigner(given, current) };
	return {
		...plugin,
		options,
		endpoints: {
			...plugin.endpoints,
			getToken: scoped.endpoints.getToken,
			signJWT: signOwn(given, current),
			verifyJWT: verifyOwn(given, current),
		},
		hooks: { ...plugin.hooks, after: scoped.hooks.after },
	};
};

const createSigner =
	(given: JwtOptions | undefined, current: CurrentTenant): Sign =>
	async (payload, header, signing) => {
		const claims = claimTenant(payload, current());
		if (given?.jwt?.sign) return given.jwt.sign(claims, header, signing);
		const ctx = getCurrentAuthEndpointContext() as GenericEndpointContext;
		// `at_hash` was computed for the configured algorithm; the tenant's newest key may have another one
		const algorithm = claims.at_hash ? (given?.jwks?.keyPairConfig ?? DEFAULT_KEYS).alg : undefined;
		return signJWT(ctx, {
			options: given,
			payload: claims,
			...(header ? { header } : {}),
			signingKeyId: signing?.signingKeyId,
			signingAlgorithm: signing?.signingAlgorithm ?? algorithm,
		});
	};

const record = z.record(z.string(), z.unknown());

/** Replaces the plugin's `signJWT`. Adds the claim itself, because `overrideOptions` may replace the signer. */
const signOwn = (given: JwtOptions | undefined, current: CurrentTenant) =>
	createAuthEndpoint.serverOnly(
		{ method: "POST", body: z.object({ payload: record, overrideOptions: record.optional() }) },
		async (ctx) => {
			const options: JwtOptions = { ...given, ...ctx.body.overrideOptions };
			return ctx.json({ token: await signJWT(ctx, { options, payload: claimTenant(ctx.body.payload, current()) }) });
		},
	);

/**
 * Replaces the plugin's `verifyJWT`. Returns no payload for a token of another tenant. Each tenant has its own keys,
 * but an application can use one key set for all tenants (`adapter.getJwks`).
 */
const verifyOwn = (given: JwtOptions | undefined, current: CurrentTenant) =>
	createAuthEndpoint.serverOnly(
		{ method: "POST", body: z.object({ token: z.string(), issuer: z.string().optional() }) },
		async (ctx) => {
			const { token, issuer } = ctx.body;
			const payload = await verifyJWT(token, issuer ? { ...given, jwt: { ...given?.jwt, issuer } } : given);
			// tokens from before the application had tenants belong to the platform
			const tenantId = payload?.[TENANT_CLAIM] ?? PLATFORM;
			return ctx.json({ payload: tenantId === current() ? payload : null });
		},
	);
