import type { ListedTenant } from "../../api/tenants.ts";
import { ArchiveDialog, SuspendDialog } from "./close-dialogs.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import type { TenantDialogProps } from "./tenant-dialog-props.ts";

export type TenantAction = "suspend" | "archive" | "restore" | "delete";

export type OpenAction = { kind: TenantAction; tenant: ListedTenant };

const DIALOGS = {
	suspend: SuspendDialog,
	archive: ArchiveDialog,
	restore: RestoreDialog,
	delete: DeleteDialog,
} satisfies Record<TenantAction, (props: TenantDialogProps) => unknown>;

/** The dialog of the action that was chosen. */
export const TenantActionDialogs = ({ open, onClose }: { open: OpenAction | null; onClose: () => void }) => {
	if (!open) return null;
	const Chosen = DIALOGS[open.kind];
	return <Chosen tenant={open.tenant} isOpen onClose={onClose} />;
};
