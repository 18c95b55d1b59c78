import type { TenantsConfig } from "../config/tenants.ts";
import type { Place } from "./paths.ts";

type Sent = { place: Place; host: string; headers: Headers; body: Uint8Array | null };

/** Longer ones are not looked into: those who sign in send less. */
const MOST_BYTES = 8_192;

/** The tag of a session token, in whichever cookie it lies: see the package's own `~` and base64url. */
const SESSION_TAG = /session_token=[^;]*?(?:~|%7E)([A-Za-z0-9_-]{1,120})(?:\.|%2E|;|$)/i;

/**
 * Whom a request says it is for, without asking anybody: only to count by. It may be anything, and one tenant may be named
 * in several ways, each of which counts for itself. Null where nothing is said.
 */
export const createNamedTenant = ({ header, resolvers, resolverHeader }: TenantsConfig, publicHost: string) => {
	const named = resolvers.includes("header") ? [resolverHeader, header] : [header];
	const byHost = resolvers.includes("subdomain") || resolvers.includes("custom-domain");
	return ({ place, host, headers, body }: Sent): string | null => {
		if (place.tenantSlug !== null) return `/${place.tenantSlug}`;
		if (byHost && host !== publicHost) return `//${host}`;
		for (const name of named) {
			const said = name === false ? null : headers.get(name);
			if (said) return said;
		}
		return inBody(headers, body) ?? inQuery(place.target) ?? inSession(headers);
	};
};

const inBody = (headers: Headers, body: Uint8Array | null): string | null => {
	if (!body || body.byteLength > MOST_BYTES) return null;
	const text = new TextDecoder().decode(body);
	if (!text.includes("tenantId")) return null;
	if (!headers.get("content-type")?.includes("json")) return new URLSearchParams(text).get("tenantId");
	try {
		const { tenantId } = JSON.parse(text) as { tenantId?: unknown };
		return typeof tenantId === "string" ? tenantId : null;
	} catch {
		return null;
	}
};

const inQuery = (target: string): string | null =>
	target.includes("tenantId") ? new URLSearchParams(target.split("?")[1]).get("tenantId") : null;

const inSession = (headers: Headers): string | null => {
	const tag = headers.get("cookie")?.match(SESSION_TAG)?.[1];
	return tag ? Buffer.from(tag, "base64url").toString() : null;
};
