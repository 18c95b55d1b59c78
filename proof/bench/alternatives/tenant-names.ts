export const DOMAIN = "example.com";

/** The names of a tenant and its user in the copied rows, by the tenant's number. */
export const tenantIdOf = (tenant: number): string => `t${String(tenant).padStart(31, "0")}`;
export const slugOf = (tenant: number): string => `tenant-${tenant}`;
export const emailOf = (tenant: number): string => `person-${tenant}@${DOMAIN}`;
