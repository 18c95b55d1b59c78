import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { ErrorNotice } from "../ui/notice.tsx";

type CardFormProps = { action: string; onSubmit: (form: FormData) => Promise<unknown>; children: ReactNode };

/** The fields of a card with their button. They are empty again after `onSubmit`, and stay as they are if it fails. */
export const CardForm = ({ action, onSubmit, children }: CardFormProps) => {
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
		event.preventDefault();
		if (isBusy) return;
		const form = event.currentTarget;
		setBusy(true);
		setProblem(null);
		try {
			await onSubmit(new FormData(form));
			form.reset();
		} catch (error) {
			setProblem(error);
		}
		setBusy(false);
	};
	return (
		<form onSubmit={submit} className="grid max-w-md gap-4">
			{children}
			{problem !== null && <ErrorNotice error={problem} />}
			<div>
				<Button type="submit" isBusy={isBusy}>
					{action}
				</Button>
			</div>
		</form>
	);
};
