import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import type { ResolvableRequest } from "../../resolve/hint.ts";
import { normalizeHost } from "../../resolve/host-name.ts";
import type { HostedTenant, HostRules } from "../../resolve/host-rules.ts";
import { requestHost } from "../../resolve/request-host.ts";
import { dispatchOf, noteDispatch } from "../pin/dispatch.ts";
import { isolated, isResolving } from "../pin/isolated-resolver.ts";
import { PLATFORM } from "../pin/platform.ts";
import { resolverToolsOf } from "./resolver-tools.ts";
import { derivedOrigins, withoutOrigins } from "./trusted-origins.ts";

/** Where a request was sent to. */
export type Place = { host: string /** the tenant, or the platform */; owner: string };

export type Hosts = ReturnType<typeof createHosts>;

/** Which hosts belong to tenants. Null if the resolver does not read the host. */
export const hostPlacesOf = defineService<Hosts | null>("hosts");

type Sent = Pick<ResolvableRequest, "request" | "headers">;

/**
 * Binds each request to the host it was sent to: a host belongs to one tenant or to the platform, and every other host is
 * rejected. Links, redirects and callback URLs then lead back to that host, and only that host is trusted as an origin.
 */
export const createHosts = (rules: HostRules, options: AuthContext["options"]) => {
	const { home, baseURLOf, settle } = createBaseURLs(options);
	const isPlatform = (host: string): boolean => host === home.hostname || rules.isPlatform(host);

	/** Finds the tenant that has a host, or the platform. Null for a host of nobody. */
	const ownerOf = async (host: string, context: object): Promise<string | null> => {
		if (isPlatform(host)) return PLATFORM;
		return (await isolated(() => rules.findOwner(host, resolverToolsOf(context)?.tenants))) || null;
	};

	/**
	 * Finds the owner of the request's host. Null for server code, which has no host. Throws for a host of nobody: it must
	 * not belong to the platform, or a mistyped subdomain would sign users up there.
	 */
	const placeOf = async (sent: Sent, context: object): Promise<Place | null> => {
		if (isResolving()) return null;
		if (!sent.request && !sent.headers?.has("host") && !sent.headers?.has("x-forwarded-host")) return null;
		const host = requestHost(sent, resolverToolsOf(context));
		const owner = host === null ? null : await ownerOf(host, context);
		if (host === null || !owner) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
		return { host, owner };
	};

	/**
	 * Where links lead if server code sets the tenant itself. It may pass on the request of any host. So the host counts
	 * only if it belongs to that tenant. Another tenant could send its own host, and receive the tokens in the links.
	 */
	const placeFor = (tenantId: string, place: Place | null): Place =>
		place && (place.owner === tenantId || place.owner === PLATFORM) ? place : { host: home.hostname, owner: PLATFORM };

	/** The same for a host that may belong to nobody. */
	const findPlaceFor = async (tenantId: string, sent: Sent, context: object): Promise<Place> => {
		const found = placeOf(sent, context).catch((error: unknown) => {
			if (error instanceof APIError) return null;
			throw error;
		});
		return placeFor(tenantId, await found);
	};

	return {
		/** The platform's own host. */
		home: home.hostname,
		baseURLOf,
		ownerOf,
		/** The hosts that belong to a tenant, the main one first. */
		hostsOf: async (tenant: HostedTenant, context: object): Promise<string[]> => {
			const named = await isolated(() => rules.hostsOf(tenant));
			const hosts = [...new Set((named ?? []).flatMap((host) => normalizeHost(host) ?? []))];
			const owners = await Promise.all(hosts.map((host) => ownerOf(host, context)));
			return hosts.filter((_, at) => owners[at] === tenant.id);
		},
		placeOf,
		placeFor,
		findPlaceFor,
		settle,
		/** Whether no tenant can claim a host: it is the platform's, or a subdomain. */
		isReserved: (host: string): boolean => isPlatform(host) || rules.covers(host),
		assertServedAt,
	};
};

/** The base URL of each host. */
const createBaseURLs = (options: AuthContext["options"]) => {
	const home = homeOf(options);
	const derived = derivedOrigins(options.baseURL);
	const basePath = basePathOf(options);

	/** The URL of the platform with another host. So no part of it comes from the request, not even the port. */
	const originOf = (host: string): string => Object.assign(new URL(home.origin), { hostname: host }).origin;

	/** The base URL of a host, as `settle` sets it. */
	const baseURLOf = (host: string): string => `${originOf(host)}${basePath}`;

	/** Sets the base URL and the trusted origins. The engine copies its context for each request and each dispatch. */
	const settle = (context: AuthContext, { host }: Place): void => {
		if (dispatchOf(context).isPlaced) return;
		noteDispatch(context, { isPlaced: true });
		const origin = originOf(host);
		Object.assign(context, {
			baseURL: baseURLOf(host),
			options: { ...context.options, baseURL: origin },
			trustedOrigins: [origin, ...withoutOrigins(context.trustedOrigins, derived)],
		});
	};

	return { home, baseURLOf, settle };
};

/**
 * Throws if a request was sent to a tenant's host and belongs to another tenant, because of its session, state or
 * path. Its cookies would be set for the wrong host. Operators may use any host.
 */
const assertServedAt = ({ owner }: Place, ctx: GenericEndpointContext, tenantId: string): void => {
	if (owner === PLATFORM || owner === tenantId) return;
	if (tenantId === PLATFORM && endpointOf(ctx.path).kind === "management") return;
	throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.TENANT_HOST_MISMATCH);
};

/** The path of the API, as the engine appends it to a base URL. */
const basePathOf = (options: AuthContext["options"]): string => {
	const basePath = options.basePath || "/api/auth";
	const { pathname } = new URL(basePath.startsWith("/") ? basePath : `/${basePath}`, "http://site.invalid");
	return pathname === "/" ? "" : pathname;
};

/** The public URL of the platform. The start-up check requires it. */
const homeOf = ({ baseURL }: AuthContext["options"]): URL =>
	new URL(typeof baseURL === "object" ? (baseURL.fallback ?? "") : (baseURL ?? ""));
