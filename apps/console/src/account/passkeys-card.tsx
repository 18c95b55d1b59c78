import { useQuery } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { useState } from "react";
import { passkeysQuery } from "../api/account.ts";
import { authClient } from "../api/client.ts";
import { unwrap } from "../api/problem.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Empty } from "../ui/empty.tsx";
import { TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Time } from "../ui/time.tsx";
import { say } from "../ui/toasts.tsx";
import { useReloadAccount } from "./use-reload-account.ts";

type Passkey = { id: string; name?: string | undefined; createdAt: Date };
type Open = { kind: "add" } | { kind: "rename" | "delete"; passkey: Passkey };

const nameOf = ({ name }: Passkey): string => name || "Passkey";

/** The passkeys: add, rename, delete. */
export const PasskeysCard = () => {
	const { data, error, refetch } = useQuery(passkeysQuery);
	const [open, setOpen] = useState<Open | null>(null);
	return (
		<Card
			title="Passkeys"
			intro="Sign in with your fingerprint, your face or a security key."
			actions={<Button onClick={() => setOpen({ kind: "add" })}>Add a passkey</Button>}
			isFlush
		>
			{!data && !error && <SkeletonRows rows={2} />}
			{error && (
				<div className="px-5 pb-5">
					<ErrorNotice error={error} retry={() => void refetch()} />
				</div>
			)}
			{data?.length === 0 && (
				<Empty icon={Fingerprint} title="No passkey yet">
					A passkey cannot be guessed or phished, and you have nothing to remember.
				</Empty>
			)}
			<ul>
				{data?.map((passkey) => (
					<li key={passkey.id} className="flex flex-wrap items-center gap-3 border-t border-hair px-5 py-3">
						<Fingerprint className="size-4.5 shrink-0 text-soft" aria-hidden />
						<div className="grid min-w-0 flex-1 basis-40">
							<span className="font-medium wrap-anywhere">{nameOf(passkey)}</span>
							<span className="text-sm text-soft">
								added <Time at={passkey.createdAt} />
							</span>
						</div>
						<div className="flex gap-1">
							<Button
								kind="quiet"
								aria-label={`Rename ${nameOf(passkey)}`}
								onClick={() => setOpen({ kind: "rename", passkey })}
							>
								Rename
							</Button>
							<Button
								kind="quiet"
								aria-label={`Delete ${nameOf(passkey)}`}
								onClick={() => setOpen({ kind: "delete", passkey })}
							>
								Delete
							</Button>
						</div>
					</li>
				))}
			</ul>
			{open && <PasskeyDialog open={open} onClose={() => setOpen(null)} />}
		</Card>
	);
};

const PasskeyDialog = ({ open, onClose }: { open: Open; onClose: () => void }) => {
	const reload = useReloadAccount();
	if (open.kind === "delete")
		return (
			<Confirm
				title="Delete this passkey?"
				action="Delete"
				isDanger
				isOpen
				onClose={onClose}
				onConfirm={async () => {
					await unwrap(authClient.passkey.deletePasskey({ id: open.passkey.id }));
					await reload();
					say("The passkey is deleted");
				}}
			>
				You can no longer sign in with <strong className="wrap-anywhere">{nameOf(open.passkey)}</strong>. Delete it on
				the device, too.
			</Confirm>
		);
	const isNew = open.kind === "add";
	const save = async (form: FormData): Promise<void> => {
		const name = String(form.get("name")).trim();
		if (open.kind === "rename") await unwrap(authClient.passkey.updatePasskey({ id: open.passkey.id, name }));
		else await unwrap(authClient.passkey.addPasskey({ name }));
		await reload();
		say(isNew ? "The passkey is added" : "The passkey is renamed");
	};
	return (
		<FormDialog
			title={isNew ? "Add a passkey" : "Rename this passkey"}
			intro={isNew ? "Your browser asks for your fingerprint, your face or a security key." : undefined}
			action={isNew ? "Continue" : "Rename"}
			isOpen
			onClose={onClose}
			onSubmit={save}
		>
			<TextField
				label="Name"
				name="name"
				defaultValue={open.kind === "rename" ? open.passkey.name : ""}
				placeholder="Such as “Work laptop”"
				maxLength={100}
				autoComplete="off"
				required
				autoFocus
			/>
		</FormDialog>
	);
};
