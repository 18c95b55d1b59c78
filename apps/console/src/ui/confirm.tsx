import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { ErrorNotice } from "./notice.tsx";

type ConfirmProps = {
	title: string;
	children: ReactNode;
	/** what the button says, a verb */
	action: string;
	/** what has to be typed, for what cannot be undone */
	typed?: string;
	/** asks for a reason, which `onConfirm` receives */
	reasonLabel?: string;
	isDanger?: boolean;
	/** does not close after `onConfirm`: something else takes its place */
	keepsOpen?: boolean;
	isOpen: boolean;
	onClose: () => void;
	onConfirm: (reason: string) => Promise<unknown>;
};

/** Asks before something that others notice. It stays open and says why if the service refuses. */
export const Confirm = ({ isOpen, onClose, title, ...rest }: ConfirmProps) => (
	<Dialog title={title} isOpen={isOpen} onClose={onClose}>
		<ConfirmForm {...rest} onClose={onClose} />
	</Dialog>
);

const ConfirmForm = (props: Omit<ConfirmProps, "isOpen" | "title">) => {
	const { children, action, typed, reasonLabel, isDanger = false, keepsOpen = false, onClose, onConfirm } = props;
	const [entered, setEntered] = useState("");
	const [reason, setReason] = useState("");
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const submit = async (event: FormEvent): Promise<void> => {
		event.preventDefault();
		if (isBusy || (typed !== undefined && entered !== typed)) return;
		setBusy(true);
		setProblem(null);
		try {
			await onConfirm(reason.trim());
			if (!keepsOpen) onClose();
		} catch (error) {
			setProblem(error);
			setBusy(false);
		}
	};
	return (
		<form onSubmit={submit} className="grid gap-4">
			<div className="text-pretty">{children}</div>
			{reasonLabel && (
				<TextField label={reasonLabel} value={reason} onChange={(event) => setReason(event.target.value)} required />
			)}
			{typed !== undefined && (
				<TextField
					label={
						<>
							Type <span className="font-mono">{typed}</span> to confirm
						</>
					}
					value={entered}
					onChange={(event) => setEntered(event.target.value)}
					autoComplete="off"
					spellCheck={false}
				/>
			)}
			{problem !== null && <ErrorNotice error={problem} />}
			<DialogActions>
				<Button onClick={onClose}>Cancel</Button>
				<Button
					type="submit"
					kind={isDanger ? "danger" : "primary"}
					isBusy={isBusy}
					disabled={typed !== undefined && entered !== typed}
				>
					{action}
				</Button>
			</DialogActions>
		</form>
	);
};
