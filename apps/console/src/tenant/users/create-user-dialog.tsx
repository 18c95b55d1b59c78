import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload, useTenantId } from "../use-tenant.ts";
import { RoleField, readRole } from "./role-field.tsx";

/** Creates a user without a mail. */
export const CreateUserDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
	const tenantId = useTenantId();
	const reload = useReload();
	const create = async (form: FormData): Promise<void> => {
		const [email, name, password] = ["email", "name", "password"].map((field) => String(form.get(field)));
		await unwrap(
			authClient.tenant.user.create({
				tenantId,
				email: email?.trim() ?? "",
				name: name?.trim() ?? "",
				role: readRole(form),
				...(password ? { password } : {}),
			}),
		);
		await reload();
		say(`${email} was created`);
	};
	return (
		<FormDialog
			title="Create a user"
			intro="No email is sent. The user's email stays unverified until they verify it."
			action="Create user"
			isOpen={isOpen}
			onClose={onClose}
			onSubmit={create}
		>
			<TextField label="Email" name="email" type="email" autoComplete="off" required autoFocus />
			<TextField label="Name" name="name" autoComplete="off" maxLength={255} required />
			<TextField
				label="Password (optional)"
				name="password"
				type="password"
				autoComplete="new-password"
				hint="Without one, the user resets it or signs in another way."
			/>
			<RoleField />
		</FormDialog>
	);
};
