import type { ListedUser } from "../../api/users.ts";
import { useTenantId } from "../use-tenant.ts";

/** The user that a call is about. */
export const useTarget = ({ id }: Pick<ListedUser, "id">) => ({ tenantId: useTenantId(), userId: id });
