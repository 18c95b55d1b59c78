import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { ErrorNotice } from "./notice.tsx";

type FormDialogProps = {
	title: string;
	intro?: ReactNode;
	/** what the button says, a verb */
	action: string;
	isDanger?: boolean;
	isOpen: boolean;
	onClose: () => void;
	/** The dialog closes when it resolves, and shows why when it rejects. */
	onSubmit: (form: FormData) => Promise<unknown>;
	children: ReactNode;
};

/** A dialog with fields. It stays open with what was entered if the service refuses. */
export const FormDialog = ({ title, intro, isOpen, onClose, ...rest }: FormDialogProps) => (
	<Dialog title={title} intro={intro} isOpen={isOpen} onClose={onClose}>
		<FormInDialog {...rest} onClose={onClose} />
	</Dialog>
);

const FormInDialog = ({
	action,
	isDanger = false,
	onClose,
	onSubmit,
	children,
}: Omit<FormDialogProps, "title" | "intro" | "isOpen">) => {
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
		event.preventDefault();
		if (isBusy) return;
		setBusy(true);
		setProblem(null);
		try {
			await onSubmit(new FormData(event.currentTarget));
			onClose();
		} catch (error) {
			setProblem(error);
			setBusy(false);
		}
	};
	return (
		<form onSubmit={submit} className="grid gap-4">
			{children}
			{problem !== null && <ErrorNotice error={problem} />}
			<DialogActions>
				<Button onClick={onClose}>Cancel</Button>
				<Button type="submit" kind={isDanger ? "danger" : "primary"} isBusy={isBusy}>
					{action}
				</Button>
			</DialogActions>
		</form>
	);
};
