import { queryOptions } from "@tanstack/react-query";
import { authClient } from "./client.ts";
import { unwrap } from "./problem.ts";

export type BrandingField =
	| "name"
	| "logo"
	| "primaryColor"
	| "backgroundColor"
	| "terms"
	| "privacy"
	| "imprint"
	| "locale";

export type Branding = Partial<Record<BrandingField, string>>;

export const brandingQuery = (tenantId: string) =>
	queryOptions({
		queryKey: ["tenant", tenantId, "branding"],
		queryFn: async () =>
			(await unwrap(authClient.$fetch<{ branding: Branding }>("/tenant/branding", { query: { tenantId } }))).branding,
	});

/** Replaces the branding. Null removes it. */
export const saveBranding = (tenantId: string, branding: Branding | null) =>
	unwrap(
		authClient.$fetch<{ branding: Branding }>("/tenant/branding", { method: "POST", body: { tenantId, branding } }),
	);
