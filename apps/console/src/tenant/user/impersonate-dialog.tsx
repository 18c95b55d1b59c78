import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { PLACE } from "../../place.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { useTarget } from "./use-target.ts";
import type { UserDialogProps } from "./user-dialog.ts";

/** Signs the operator in as a user. Their own session ends in this browser. */
export const ImpersonateDialog = ({ user, ...dialog }: UserDialogProps) => {
	const target = useTarget(user);
	const impersonate = async (reason: string): Promise<void> => {
		await unwrap(authClient.tenant.impersonate({ ...target, reason }));
		// loads everything again, so that nothing of the operator stays in memory
		location.assign(`${PLACE.console}/impersonating`);
	};
	return (
		<Confirm
			title="Impersonate this user?"
			action="Impersonate"
			reasonLabel="Reason"
			keepsOpen
			{...dialog}
			onConfirm={impersonate}
		>
			Your browser is signed in as <strong className="wrap-anywhere">{user.email}</strong> for a short time, to see what
			they see. You sign in again afterwards. It is recorded with your reason, and the user sees the session in their
			account.
		</Confirm>
	);
};
