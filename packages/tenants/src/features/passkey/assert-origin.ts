import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import type { HintSources, ResolvableRequest } from "../../resolve/hint.ts";
import { normalizeHost } from "../../resolve/host-name.ts";
import { resolvable } from "../../scope/request/decide.ts";
import { configuredOrigins } from "./configured-origins.ts";

/**
 * Rejects a passkey that was used on another tenant's page. A browser signs for every host below the rpID and records
 * the page's origin. The passkey plugin accepts all configured origins in every tenant.
 */
export const createPasskeyOriginCheck =
	({ resolveTenantId }: Pick<HintSources, "resolveTenantId">) =>
	async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		const page = pageOf(ctx.body?.response?.response?.clientDataJSON);
		if (!page || !isExpected(ctx, page)) throw refusal();
		// the origin of a native app is not a URL of a page
		if (page.protocol !== "http:" && page.protocol !== "https:") return;
		const owner = await resolveTenantId?.(sentTo(page, resolvable(ctx)));
		if (owner && owner !== tenantId) throw refusal();
	};

/** The same error as the plugin's for an unexpected origin. */
const refusal = () => APIError.from("BAD_REQUEST", { code: "AUTHENTICATION_FAILED", message: "Authentication failed" });

/** The origin of the page that used the passkey, from the client data (WebAuthn Level 2, section 5.8.1). */
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

/** Without the `origin` option, the plugin would trust a header. Then only the origin of the base URL is accepted. */
const isExpected = ({ context }: GenericEndpointContext, page: URL): boolean =>
	(configuredOrigins(context)?.length ?? 0) > 0 || page.origin === URL.parse(context.baseURL)?.origin;

/** The same request, as if sent to the page's host. The application's resolver then returns that host's tenant. */
const sentTo = ({ protocol, host }: URL, original: ResolvableRequest): ResolvableRequest => {
	const headers = new Headers(original.headers ?? original.request?.headers);
	for (const name of ["host", "x-forwarded-host"]) if (name === "host" || headers.has(name)) headers.set(name, host);
	const sent = { ...original, headers, host: normalizeHost(host) };
	if (!original.request) return sent;
	const url = Object.assign(new URL(original.request.url), { protocol, host });
	return { ...sent, request: new Request(url, { method: original.request.method, headers }) };
};
