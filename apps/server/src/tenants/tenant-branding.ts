import type { TenantAuthOptions } from "better-auth-tenants";
import { readBranding } from "../branding/branding.ts";

/**
 * What pages show of a tenant, and how authenticator apps name it. Only the validated fields: the rest of the metadata is for
 * operators. Without pages, `branding` belongs to the application and is not published.
 */
export const tenantBranding = {
	branding: ({ metadata }) => readBranding(metadata?.branding),
	displayName: ({ name, metadata }) => readBranding(metadata?.branding).name ?? name,
} satisfies Pick<TenantAuthOptions, "branding" | "displayName">;
