import { type FormEvent, useState } from "react";
import { authClient } from "../api/client.ts";
import { unwrap } from "../api/problem.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";

/** The code of an authenticator app, or a backup code. */
export const CodeForm = ({ onDone }: { onDone: () => Promise<unknown> }) => {
	const [isBackup, setBackup] = useState(false);
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
		event.preventDefault();
		if (isBusy) return;
		const code = String(new FormData(event.currentTarget).get("code")).replaceAll(/\s/g, "");
		setBusy(true);
		setProblem(null);
		try {
			await unwrap(
				isBackup ? authClient.twoFactor.verifyBackupCode({ code }) : authClient.twoFactor.verifyTotp({ code }),
			);
			await onDone();
		} catch (error) {
			setProblem(error);
		}
		setBusy(false);
	};
	return (
		<form onSubmit={submit} className="grid gap-4" key={String(isBackup)}>
			{problem !== null && <ErrorNotice error={problem} />}
			{isBackup ? (
				<TextField
					label="Backup code"
					name="code"
					hint="One of the codes that you kept when you set up the app. Each works once."
					autoComplete="off"
					spellCheck={false}
					autoFocus
					required
				/>
			) : (
				<TextField
					label="Code"
					name="code"
					hint="The six digits that your authenticator app shows."
					inputMode="numeric"
					autoComplete="one-time-code"
					pattern="[0-9 ]{6,7}"
					className="text-lg tracking-[0.2em] tabular-nums"
					autoFocus
					required
				/>
			)}
			<Button type="submit" kind="primary" isBusy={isBusy} className="min-h-10">
				Continue
			</Button>
			<Button
				kind="quiet"
				onClick={() => {
					setBackup(!isBackup);
					setProblem(null);
				}}
			>
				{isBackup ? "Use the authenticator app" : "Use a backup code"}
			</Button>
		</form>
	);
};
