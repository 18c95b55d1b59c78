import { queryOptions } from "@tanstack/react-query";
import { authClient } from "./client.ts";
import { Problem, unwrap } from "./problem.ts";

/** Who looks at the console, where, and what the service has turned on. */
export type Console = {
	place: "platform" | "tenant";
	tenant: { id: string; name: string; slug: string; status: "active" | "suspended" | "archived" } | null;
	user: { id: string; name: string; email: string; image?: string | null };
	role: "operator" | "owner" | "admin" | "member";
	features: Partial<Record<Feature, boolean>>;
	socialProviders: string[];
	/** what to enter at a provider, one for each host of the tenant, with `{providerId}` in it; `own` for a server that the tenant names */
	callbackURLs: { shared: string[]; own: string[] };
	/** operators only */
	version: string | null;
};

export type Feature =
	| "lifecycle"
	| "policy"
	| "invitations"
	| "impersonation"
	| "pages"
	| "transfer"
	| "passkey"
	| "twoFactor"
	| "sso"
	| "scim"
	| "magicLink"
	| "emailOtp"
	| "phoneNumber"
	| "username"
	| "device"
	| "mail";

/** Null if nobody is signed in. */
export const consoleQuery = queryOptions({
	queryKey: ["console"],
	queryFn: async (): Promise<Console | null> => {
		try {
			return await unwrap(authClient.$fetch<Console>("/tenant/console"));
		} catch (error) {
			if (error instanceof Problem && error.status === 401 && error.code !== "SECOND_FACTOR_REQUIRED") return null;
			throw error;
		}
	},
	staleTime: 60_000,
});
