import { useState } from "react";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useReload } from "../use-tenant.ts";
import { useTarget } from "./use-target.ts";
import type { UserDialogProps } from "./user-dialog.ts";

type Erased = { record: string; rows: number; sessions: number };

/** Deletes everything about a user, and offers the signed record of it. The record is not stored anywhere else. */
export const EraseDialog = ({ user, onClose, onGone, isOpen }: UserDialogProps & { onGone?: () => void }) => {
	const target = useTarget(user);
	const reload = useReload();
	const [erased, setErased] = useState<Erased | null>(null);
	const erase = async (): Promise<void> => {
		const { record, erasure } = await unwrap(authClient.tenant.user.erase(target));
		const rows = Object.values(erasure.rows).reduce((sum, count) => sum + count, 0);
		setErased({ record, rows, sessions: erasure.sessions });
	};
	const leave = (): void => {
		onClose();
		onGone?.();
		void reload();
	};
	if (erased)
		return (
			<Dialog title="The user is erased" isOpen onClose={leave}>
				<p>
					Keep the signed record if you must prove the erasure. It contains no name and no email, and the service does
					not store it.
				</p>
				<Facts>
					<Fact name="Deleted rows">{erased.rows}</Fact>
					<Fact name="Ended sessions">{erased.sessions}</Fact>
				</Facts>
				<DialogActions>
					<Button onClick={leave}>Close</Button>
					<Button kind="primary" onClick={() => saveFile(`erasure-${user.id}.jwt`, erased.record, "application/jwt")}>
						Download record
					</Button>
				</DialogActions>
			</Dialog>
		);
	return (
		<Confirm
			title="Erase this user?"
			action="Erase user"
			typed={user.email}
			isDanger
			isOpen={isOpen}
			// the dialog with the record follows
			onClose={onClose}
			keepsOpen
			onConfirm={erase}
		>
			Everything that is stored about <strong>{user.email}</strong> is deleted: account, sessions, second factors and
			pending mails. This cannot be undone.
		</Confirm>
	);
};
