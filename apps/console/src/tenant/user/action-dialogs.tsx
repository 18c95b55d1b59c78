import type { ListedUser } from "../../api/users.ts";
import { BanDialog } from "./ban-dialog.tsx";
import { EndSessionsDialog, RemoveDialog, ResetSecondFactorDialog, UnbanDialog } from "./confirmations.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { ImpersonateDialog } from "./impersonate-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import type { UserDialogProps } from "./user-dialog.ts";

export type UserAction =
	| "role"
	| "ban"
	| "unban"
	| "end-sessions"
	| "reset-second-factor"
	| "impersonate"
	| "export"
	| "remove"
	| "erase";

export type OpenAction = { kind: UserAction; user: ListedUser };

const DIALOGS = {
	role: RoleDialog,
	ban: BanDialog,
	unban: UnbanDialog,
	"end-sessions": EndSessionsDialog,
	"reset-second-factor": ResetSecondFactorDialog,
	impersonate: ImpersonateDialog,
	export: ExportDialog,
	remove: RemoveDialog,
	erase: EraseDialog,
} satisfies Record<UserAction, (props: UserDialogProps & { onGone?: () => void }) => unknown>;

type ActionDialogsProps = {
	open: OpenAction | null;
	onClose: () => void;
	/** when the user does not exist any more */
	onGone?: () => void;
};

/** The dialog of the action that was chosen. */
export const UserActionDialogs = ({ open, onClose, onGone }: ActionDialogsProps) => {
	if (!open) return null;
	const Chosen = DIALOGS[open.kind];
	return <Chosen user={open.user} isOpen onClose={onClose} {...(onGone ? { onGone } : {})} />;
};
