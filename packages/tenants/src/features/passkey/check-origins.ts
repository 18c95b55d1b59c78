import type { AuthContext } from "@better-auth/core";
import { configuredOrigins } from "./configured-origins.ts";

/**
 * Without `origin`, the passkey plugin accepts the origin in the request's `Origin` header. Tenants on different hosts
 * share one rpID. So a page of one tenant could get a signature for another tenant and send it with any header.
 */
export const checkPasskeyOrigins = (context: AuthContext): string[] => {
	const origins = configuredOrigins(context);
	if (!origins || origins.length > 0 || trustsBaseURLOnly(context)) return [];
	return [
		'passkey() has no `origin`, so a passkey used on one tenant\'s page could sign in to another tenant. Set the origins of your pages: passkey({ origin: ["https://app.example.com"] }). Alternatively, set a fixed `baseURL` that is the only trusted origin, and leave the origin and CSRF checks on.',
	];
};

const trustsBaseURLOnly = ({ options, trustedOrigins }: AuthContext): boolean => {
	const { baseURL, advanced } = options;
	const own = typeof baseURL === "string" ? URL.parse(baseURL)?.origin : undefined;
	return (
		own !== undefined &&
		typeof options.trustedOrigins !== "function" &&
		trustedOrigins.every((origin) => origin === own) &&
		!advanced?.disableOriginCheck &&
		!advanced?.disableCSRFCheck
	);
};
