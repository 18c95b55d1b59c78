import type { AuthContext } from "@better-auth/core";
import { configuredOrigins } from "./configured-origins.ts";

/**
 * Without `origin`, the passkey plugin expects whatever the request's `Origin` header says. Tenants at hosts of their own
 * share one rpID, so a page of one tenant has a passkey sign for another, and a server hands that in under any header.
 */
export const checkPasskeyOrigins = (context: AuthContext): string[] => {
	const origins = configuredOrigins(context);
	if (!origins || origins.length > 0 || trustsBaseURLOnly(context)) return [];
	return [
		'passkey() has no `origin`, so a passkey that is used on one tenant\'s page would sign in to another tenant. Name the origins of your pages: passkey({ origin: ["https://app.example.com"] }). Without it, the base URL has to be fixed, the only trusted origin, and checked.',
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
