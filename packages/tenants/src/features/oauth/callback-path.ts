import { namesOwnServer } from "./account-authority.ts";

/** Whose callback URL a config uses: one that all tenants share, or the tenant's own. */
export type CallbackKind = "shared" | "own";

/**
 * Where a flow must end. A tenant's own server must never receive a code that another server issued. So its flows end at
 * a separate address (RFC 9700, section 4.4.2), and a code that arrives at any other address is rejected.
 */
export const callbackPathOf = (providerId: string, tenantId: string, kind: CallbackKind): string =>
	kind === "own" ? `/tenant/callback/${providerId}/${tenantId}` : `/tenant/callback/${providerId}`;

/**
 * Decides the callback URL of a new config by its own options only. The application's providers do not count: they may
 * change, and the URL is entered at the provider. A server that the application uses today, too, may be the tenant's
 * alone tomorrow.
 */
export const decideCallback = (providerId: string, options: Record<string, unknown> | null): CallbackKind =>
	namesOwnServer(providerId, options ?? {}) ? "own" : "shared";

/**
 * The kind that is used. The stored decision can only separate a config from the others: a server that the tenant may run
 * never gets the shared URL, whatever is stored.
 */
export const callbackKindOf = (stored: string, isOwnServer: boolean): CallbackKind =>
	isOwnServer || stored === "own" ? "own" : "shared";
