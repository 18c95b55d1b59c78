import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload, useTenantId } from "../use-tenant.ts";
import { RoleField, readRole } from "./role-field.tsx";

/** Sends an invitation by mail. */
export const InviteDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
	const tenantId = useTenantId();
	const reload = useReload();
	const invite = async (form: FormData): Promise<void> => {
		const email = String(form.get("email")).trim();
		try {
			await unwrap(authClient.tenant.invitation.create({ tenantId, email, role: readRole(form) }));
		} finally {
			// an invitation can be stored although its mail was not sent
			await reload();
		}
		say(`${email} is invited`);
	};
	return (
		<FormDialog
			title="Invite a user"
			intro="They get an email with a link to join this tenant."
			action="Send invitation"
			isOpen={isOpen}
			onClose={onClose}
			onSubmit={invite}
		>
			<TextField label="Email" name="email" type="email" autoComplete="off" required autoFocus />
			<RoleField />
		</FormDialog>
	);
};
