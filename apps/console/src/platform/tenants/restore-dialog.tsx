import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { CheckField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import type { TenantDialogProps } from "./tenant-dialog-props.ts";
import { useReloadTenant } from "./use-reload-tenant.ts";

/** Opens a tenant again. Sessions from before work again, unless they are ended. */
export const RestoreDialog = ({ tenant, ...dialog }: TenantDialogProps) => {
	const reload = useReloadTenant(tenant.id);
	const isDecided = tenant.lifecycle?.endsSessions === true;
	const restore = async (form: FormData): Promise<void> => {
		const endSessions = form.get("endSessions") === "on";
		await unwrap(authClient.tenant.restore({ tenantId: tenant.id, ...(endSessions ? { endSessions } : {}) }));
		await reload();
		say(`${tenant.name} is active again`, undefined, tenant.id);
	};
	return (
		<FormDialog
			title="Restore this tenant?"
			intro={
				<>
					Its users can sign in to <strong className="wrap-anywhere">{tenant.name}</strong> again at once.
				</>
			}
			action="Restore"
			{...dialog}
			onSubmit={restore}
		>
			<CheckField
				name="endSessions"
				label="End all sessions from before"
				hint={
					isDecided
						? "This was set when the tenant was closed."
						: "All users must sign in again. Use this if a session may have been stolen. It can take half a minute."
				}
				defaultChecked={isDecided}
				disabled={isDecided}
			/>
		</FormDialog>
	);
};
