import { getCurrentAuthEndpointContext } from "@better-auth/core/context";
import { passkey } from "@better-auth/passkey";
import type { PasskeyConfig } from "../config/passkey.ts";

/**
 * The passkey plugin. On a tenant's own host, passkeys belong to that host and work on its pages only: the plugin reads the
 * domain from the request's base URL, which `tenantHosts` sets. Elsewhere, the configured domain and origins count.
 */
export const passkeyPlugin = ({ rpName, rpId, origins }: NonNullable<PasskeyConfig>, publicURL: string) =>
	passkey({ rpName, ...(rpId ? { rpID: rpId } : {}), origin: pageOrigins(origins, publicURL) });

/** The origins that may use a passkey. The plugin takes one list for all requests and asks whether it includes a page. */
const pageOrigins = (origins: readonly string[], publicURL: string): string[] => {
	class PageOrigins extends Array<string> {
		static override get [Symbol.species]() {
			return Array;
		}
		override includes(origin: string): boolean {
			const own = requestOrigin();
			return own === null || own === publicURL ? super.includes(origin) : origin === own;
		}
	}
	return PageOrigins.from(origins);
};

/** The origin that the request was sent to: the server's own, or a tenant's host. */
const requestOrigin = (): string | null => URL.parse(getCurrentAuthEndpointContext().context.baseURL)?.origin ?? null;
