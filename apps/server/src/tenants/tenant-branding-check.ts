import { APIError } from "better-auth/api";
import type { tenantAuth } from "better-auth-tenants";
import { brandingProblems } from "../branding/branding.ts";
import type { PagesConfig } from "../config/pages.ts";
import { refuseInvalidMetadata } from "./tenant-metadata-check.ts";

export const brandingRefusal = (message: string): APIError =>
	new APIError("BAD_REQUEST", { code: "TENANT_BRANDING_INVALID", message });

/** Rejects invalid branding in a tenant's metadata. Without pages, the field belongs to the application. */
export const refuseInvalidBranding = (
	plugin: Pick<ReturnType<typeof tenantAuth>, "endpoints">,
	{ enabled }: PagesConfig,
): void => {
	if (!enabled) return;
	refuseInvalidMetadata(plugin, {
		field: "branding",
		refusal: brandingRefusal,
		problemsOf: brandingProblems,
	});
};
