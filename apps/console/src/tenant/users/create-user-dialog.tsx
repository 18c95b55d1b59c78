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
			intro="No mail is sent. Their email is not verified until they do so."
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
				hint="Without one, they reset it or sign in another way."
			/>
			<RoleField />
		</FormDialog>
	);
};
