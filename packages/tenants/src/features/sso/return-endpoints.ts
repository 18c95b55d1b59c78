import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { dispatchAuthEndpoint } from "better-auth/api";
import type { Endpoint } from "better-call";
import * as z from "zod";
import { ADDRESSED } from "../../endpoints/tenant-address.ts";
import { copyHeaders } from "../../scope/request/delegate.ts";
import { isLiveSession, readSessionCredential } from "../../scope/sessions/session-credential.ts";

/** Names of the SSO plugin's endpoints that identity providers redirect users to. */
const RETURNS = ["callbackSSO", "acsEndpoint", "sloEndpoint", "spMetadata"] as const;

// accepts anything: the engine's endpoint validates it
const parameters = z.record(z.string(), z.unknown()).optional();

/** Creates the same endpoints at paths that contain the tenant id. */
export const returnEndpoints = (endpoints: Record<string, Endpoint>): Record<string, Endpoint> =>
	Object.fromEntries(
		RETURNS.flatMap((name) => {
			const endpoint = endpoints[name];
			return endpoint?.path ? [[`tenant${name[0]?.toUpperCase()}${name.slice(1)}`, returnEndpoint(endpoint)]] : [];
		}),
	);

const returnEndpoint = (endpoint: Endpoint): Endpoint =>
	createAuthEndpoint(
		`${ADDRESSED}${endpoint.path}`,
		{
			...(takesBody(endpoint) ? { method: ["GET", "POST"] as const, body: parameters } : { method: "GET" as const }),
			query: parameters,
			metadata: {
				...endpoint.options.metadata,
				allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
			},
		},
		async (ctx) => dispatch(ctx, endpoint),
	) as Endpoint;

const takesBody = ({ options }: Endpoint): boolean => [options.method].flat().includes("POST");

const dispatch = async (ctx: GenericEndpointContext, endpoint: Endpoint): Promise<Response> => {
	assertNotDisabled(ctx, endpoint);
	const response = (await dispatchAuthEndpoint(endpoint, { ...ctx, asResponse: true })) as Response;
	if (!(await isOwnSession(ctx))) response.headers.delete("set-cookie");
	const location = response.headers.get("location");
	if (!location) return response;
	copyHeaders(response.headers, ctx);
	ctx.setHeader("cache-control", "no-store");
	throw ctx.redirect(location);
};

/** Disabling the engine's path of a provider also disables this one. */
const assertNotDisabled = ({ context, params }: GenericEndpointContext, { path = "" }: Endpoint): void => {
	const address = path.replace(":providerId", String(params?.providerId));
	if (context.options.disabledPaths?.some((disabled) => disabled === address || disabled === path))
		throw new APIError("NOT_FOUND");
};

/**
 * Any website can make a browser request a logout at a tenant's identity provider. It may end sessions of that tenant
 * only, so the cookie of another tenant's session is kept.
 */
const isOwnSession = async (ctx: GenericEndpointContext): Promise<boolean> => {
	if (!ctx.path?.includes("/slo/")) return true;
	const credential = await readSessionCredential(ctx, isLiveSession);
	return credential === null || credential.tenantId === ctx.params?.tenantId;
};
