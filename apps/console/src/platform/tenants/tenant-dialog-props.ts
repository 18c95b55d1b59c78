import type { ListedTenant } from "../../api/tenants.ts";

/** What every dialog about a tenant is given. */
export type TenantDialogProps = { tenant: ListedTenant; isOpen: boolean; onClose: () => void };
