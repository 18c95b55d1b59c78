import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload } from "../use-tenant.ts";
import { useTarget } from "./use-target.ts";
import type { UserDialogProps } from "./user-dialog.ts";

export const UnbanDialog = ({ user, ...dialog }: UserDialogProps) => {
	const target = useTarget(user);
	const reload = useReload();
	const unban = async (): Promise<void> => {
		await unwrap(authClient.tenant.user.unban(target));
		await reload();
		say(`${user.email} can sign in again`);
	};
	return (
		<Confirm title="End the ban?" action="End the ban" {...dialog} onConfirm={unban}>
			<strong>{user.email}</strong> can sign in again at once.
		</Confirm>
	);
};

export const EndSessionsDialog = ({ user, ...dialog }: UserDialogProps) => {
	const target = useTarget(user);
	const reload = useReload();
	const end = async (): Promise<void> => {
		await unwrap(authClient.tenant.user.endSessions(target));
		await reload();
		say(`${user.email} is signed out everywhere`);
	};
	return (
		<Confirm title="End all sessions?" action="End all sessions" {...dialog} onConfirm={end}>
			<strong>{user.email}</strong> is signed out on all devices and can sign in again.
		</Confirm>
	);
};

export const ResetSecondFactorDialog = ({ user, ...dialog }: UserDialogProps) => {
	const target = useTarget(user);
	const reload = useReload();
	const reset = async (): Promise<void> => {
		await unwrap(authClient.tenant.user.resetSecondFactor(target));
		await reload();
		say(`The second factor of ${user.email} is removed`);
	};
	return (
		<Confirm title="Reset the second factor?" action="Reset second factor" isDanger {...dialog} onConfirm={reset}>
			Removes the authenticator app, the backup codes and the trusted devices of <strong>{user.email}</strong>, and ends
			their sessions. Make sure that it is them who asks.
		</Confirm>
	);
};

export const RemoveDialog = ({ user, onGone, ...dialog }: UserDialogProps & { onGone?: () => void }) => {
	const target = useTarget(user);
	const reload = useReload();
	const remove = async (): Promise<void> => {
		await unwrap(authClient.tenant.user.remove(target));
		onGone?.();
		await reload();
		say(`${user.email} was removed`);
	};
	return (
		<Confirm title="Remove this user?" action="Remove user" isDanger {...dialog} onConfirm={remove}>
			<strong>{user.email}</strong> loses access at once. Their account and sessions are deleted, which cannot be
			undone. To delete everything about them with a signed record, use Erase.
		</Confirm>
	);
};
