import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { platformQuery } from "../../api/platform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { deleteTenant, isDeletingHere } from "./delete-tenant.ts";
import type { TenantDialogProps } from "./tenant-dialog-props.ts";

/** Deletes a tenant after its name was typed, and shows how far it is. */
export const DeleteDialog = ({ tenant, onClose, isOpen }: TenantDialogProps) => {
	const queries = useQueryClient();
	const [isRunning, setRunning] = useState(isDeletingHere(tenant.id));
	const [problem, setProblem] = useState<unknown>(null);
	const start = async (): Promise<void> => {
		setRunning(true);
		setProblem(null);
		await deleteTenant(queries, tenant).then(onClose, setProblem);
	};
	if (isRunning)
		return (
			<Dialog title={`Deleting ${tenant.name}`} isOpen={isOpen} onClose={onClose}>
				{problem === null ? (
					<Progress tenantId={tenant.id} />
				) : (
					<ErrorNotice error={problem} retry={() => void start()} />
				)}
				<DialogActions>
					<Button onClick={onClose}>Close</Button>
				</DialogActions>
			</Dialog>
		);
	return (
		<Confirm
			title="Delete this tenant?"
			action="Delete forever"
			typed={tenant.name}
			isDanger
			keepsOpen
			isOpen={isOpen}
			onClose={onClose}
			onConfirm={start}
		>
			<p>
				Deletes <strong className="wrap-anywhere">{tenant.name}</strong> with all its users, accounts, sessions and
				settings. This cannot be undone. To keep the data, archive it instead.
			</p>
		</Confirm>
	);
};

const count = new Intl.NumberFormat("en");
/** Milliseconds between two looks at the deletion. */
const EVERY = 1_000;

const Progress = ({ tenantId }: { tenantId: string }) => {
	const { data } = useQuery({ ...platformQuery, refetchInterval: EVERY });
	const left = data?.deletions.find((deletion) => deletion.tenantId === tenantId)?.rowsLeft;
	return (
		<div className="grid gap-3">
			<div role="progressbar" aria-label="Deletion" className="h-1.5 overflow-hidden rounded-full bg-sunken">
				<div className="h-full w-1/3 animate-slide rounded-full bg-accent" />
			</div>
			<p role="status">
				{left === undefined
					? "Closing the tenant."
					: `The tenant is closed. ${left === 1 ? "1 record is" : `${count.format(left)} records are`} left to delete.`}
			</p>
			<p className="text-sm text-soft">
				The service waits until no request can still write, and then deletes the rest. You can close this: the deletion
				goes on.
			</p>
		</div>
	);
};
