import { authClient } from "../api/client.ts";
import { unwrap } from "../api/problem.ts";
import { Card } from "../ui/card.tsx";
import { TextField } from "../ui/field.tsx";
import { say } from "../ui/toasts.tsx";
import { CardForm } from "./card-form.tsx";
import { useReloadAccount } from "./use-reload-account.ts";

/** Changes the password, and ends all other sessions. */
export const PasswordCard = () => {
	const reload = useReloadAccount();
	const change = async (form: FormData): Promise<void> => {
		await unwrap(
			authClient.changePassword({
				currentPassword: String(form.get("current")),
				newPassword: String(form.get("new")),
				revokeOtherSessions: true,
			}),
		);
		await reload();
		say("Your password is changed, and other devices are signed out");
	};
	return (
		<Card title="Password" intro="A new password signs you out on all other devices.">
			<CardForm action="Change password" onSubmit={change}>
				<TextField label="Current password" name="current" type="password" autoComplete="current-password" required />
				<TextField
					label="New password"
					name="new"
					type="password"
					autoComplete="new-password"
					minLength={8}
					maxLength={128}
					hint="At least 8 characters. A sentence is easy to remember and hard to guess."
					required
				/>
			</CardForm>
		</Card>
	);
};
