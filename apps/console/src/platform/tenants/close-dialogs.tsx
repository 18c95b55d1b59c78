import { useQueryClient } from "@tanstack/react-query";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { say } from "../../ui/toasts.tsx";
import type { TenantDialogProps } from "./tenant-dialog-props.ts";
import { useReloadTenant } from "./use-reload-tenant.ts";

/** Says what was done, and restores the tenant again on request. */
const useUndo = ({ tenant }: Pick<TenantDialogProps, "tenant">) => {
	const reload = useReloadTenant(tenant.id);
	const queries = useQueryClient();
	return async (done: string): Promise<void> => {
		await reload();
		const undo = (): void => {
			unwrap(authClient.tenant.restore({ tenantId: tenant.id }))
				.then(() => say(`${tenant.name} is active again`))
				.catch(() => say(`${tenant.name} could not be restored. Open its menu and try again.`))
				.finally(() => void queries.invalidateQueries({ queryKey: ["tenants"] }).then(reload));
		};
		say(`${tenant.name} is ${done}`, undo, tenant.id);
	};
};

export const SuspendDialog = ({ tenant, ...dialog }: TenantDialogProps) => {
	const sayWithUndo = useUndo({ tenant });
	const suspend = async (reason: string): Promise<void> => {
		await unwrap(authClient.tenant.suspend({ tenantId: tenant.id, reason }));
		await sayWithUndo("suspended");
	};
	return (
		<Confirm
			title="Suspend this tenant?"
			action="Suspend"
			reasonLabel="Reason"
			isDanger
			{...dialog}
			onConfirm={suspend}
		>
			Nobody can sign in to <strong className="wrap-anywhere">{tenant.name}</strong>, and its sessions stop working
			until you restore it. Nothing is deleted. Only operators see the reason.
		</Confirm>
	);
};

export const ArchiveDialog = ({ tenant, ...dialog }: TenantDialogProps) => {
	const sayWithUndo = useUndo({ tenant });
	const archive = async (reason: string): Promise<void> => {
		await unwrap(authClient.tenant.archive({ tenantId: tenant.id, reason }));
		await sayWithUndo("archived");
	};
	return (
		<Confirm
			title="Archive this tenant?"
			action="Archive"
			reasonLabel="Reason"
			isDanger
			{...dialog}
			onConfirm={archive}
		>
			For a tenant that has left. Nobody can sign in to <strong className="wrap-anywhere">{tenant.name}</strong>. Its
			data stays until you delete it, and you can restore it.
		</Confirm>
	);
};
