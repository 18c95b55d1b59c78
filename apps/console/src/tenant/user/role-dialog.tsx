import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload } from "../use-tenant.ts";
import { ROLE_NAMES } from "../users/badges.tsx";
import { RoleField, readRole } from "../users/role-field.tsx";
import { useTarget } from "./use-target.ts";
import type { UserDialogProps } from "./user-dialog.ts";

export const RoleDialog = ({ user, ...dialog }: UserDialogProps) => {
	const target = useTarget(user);
	const reload = useReload();
	const change = async (role: typeof user.role): Promise<void> => {
		await unwrap(authClient.tenant.user.setRole({ ...target, role }));
		await reload();
	};
	const submit = async (form: FormData): Promise<void> => {
		const role = readRole(form);
		if (role === user.role) return;
		await change(role);
		say(`${user.email} is now ${ROLE_NAMES[role].toLowerCase()}`, () => void change(user.role));
	};
	return (
		<FormDialog
			title="Change role"
			intro={
				<>
					Of <strong>{user.email}</strong>. It applies at once.
				</>
			}
			action="Change role"
			{...dialog}
			onSubmit={submit}
		>
			<RoleField initial={user.role} />
		</FormDialog>
	);
};
