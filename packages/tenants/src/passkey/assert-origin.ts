import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";
import type { HintSources, ResolvableRequest } from "../resolve/hint.ts";
import { resolvable } from "../scope/decide.ts";
import { configuredOrigins } from "./configured-origins.ts";

/**
 * Refuses a passkey that was used on another tenant's page. A browser signs for every host below the rpID and writes down
 * the page's origin; the plugin takes all origins of the application alike.
 */
export const createPasskeyOriginCheck =
	({ resolveTenantId }: Pick<HintSources, "resolveTenantId">) =>
	async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		if (!endpointOf(ctx.path).verifiesPasskey) return;
		const page = pageOf(ctx.body?.response?.response?.clientDataJSON);
		if (!page || !isExpected(ctx, page)) throw refusal();
		// native applications have an origin that is no address
		if (page.protocol !== "http:" && page.protocol !== "https:") return;
		const owner = await resolveTenantId?.(sentTo(page, resolvable(ctx)));
		if (owner && owner !== tenantId) throw refusal();
	};

/** As the plugin refuses an origin that it does not expect. */
const refusal = () => APIError.from("BAD_REQUEST", { code: "AUTHENTICATION_FAILED", message: "Authentication failed" });

/** Where a passkey was used: the origin in the client data (WebAuthn Level 2, section 5.8.1). */
const pageOf = (clientDataJSON: unknown): URL | null => {
	if (typeof clientDataJSON !== "string" || !/^[A-Za-z0-9_-]+$/.test(clientDataJSON)) return null;
	try {
		const bytes = Uint8Array.from(atob(clientDataJSON.replace(/-/g, "+").replace(/_/g, "/")), (byte) =>
			byte.charCodeAt(0),
		);
		const { origin }: { origin?: unknown } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
		return typeof origin === "string" ? URL.parse(origin) : null;
	} catch {
		return null;
	}
};

/** Without `origin`, the plugin would go by a header; only the base URL's own counts then. */
const isExpected = ({ context }: GenericEndpointContext, page: URL): boolean =>
	(configuredOrigins(context)?.length ?? 0) > 0 || page.origin === URL.parse(context.baseURL)?.origin;

/** The same request as it would have been sent to the page's host: whose host that is, the application's resolver says. */
const sentTo = ({ protocol, host }: URL, asked: ResolvableRequest): ResolvableRequest => {
	const headers = new Headers(asked.headers ?? asked.request?.headers);
	for (const name of ["host", "x-forwarded-host"]) if (name === "host" || headers.has(name)) headers.set(name, host);
	if (!asked.request) return { ...asked, headers };
	const url = Object.assign(new URL(asked.request.url), { protocol, host });
	return { ...asked, headers, request: new Request(url, { method: asked.request.method, headers }) };
};
