import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload } from "../use-tenant.ts";
import { useTarget } from "./use-target.ts";
import type { UserDialogProps } from "./user-dialog.ts";

const LENGTHS: [seconds: number, name: string][] = [
	[3_600, "1 hour"],
	[86_400, "1 day"],
	[7 * 86_400, "1 week"],
	[30 * 86_400, "30 days"],
	[365 * 86_400, "1 year"],
];

/** Bans a user for a time or for good. The message that says so offers a way back. */
export const BanDialog = ({ user, ...dialog }: UserDialogProps) => {
	const target = useTarget(user);
	const reload = useReload();
	const undo = async (): Promise<void> => {
		await unwrap(authClient.tenant.user.unban(target));
		await reload();
		say(`${user.email} can sign in again`);
	};
	const ban = async (form: FormData): Promise<void> => {
		const reason = String(form.get("reason")).trim();
		const seconds = Number(form.get("length"));
		await unwrap(
			authClient.tenant.user.ban({
				...target,
				...(reason ? { reason } : {}),
				...(seconds > 0 ? { expiresIn: seconds } : {}),
			}),
		);
		await reload();
		say(`${user.email} is banned`, () => void undo());
	};
	return (
		<FormDialog
			title="Ban this user?"
			intro={
				<>
					<strong>{user.email}</strong> is signed out everywhere and cannot sign in.
				</>
			}
			action="Ban user"
			isDanger
			{...dialog}
			onSubmit={ban}
		>
			<TextField
				label="Reason (optional)"
				name="reason"
				maxLength={500}
				autoComplete="off"
				hint="The user can read it."
				autoFocus
			/>
			<SelectField label="Length" name="length" defaultValue="0">
				<option value="0">Until it is lifted</option>
				{LENGTHS.map(([seconds, name]) => (
					<option key={seconds} value={seconds}>
						{name}
					</option>
				))}
			</SelectField>
		</FormDialog>
	);
};
