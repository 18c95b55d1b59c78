import { type FormEvent, type ReactNode, useState } from "react";
import { authClient } from "../api/client.ts";
import { unwrap } from "../api/problem.ts";
import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy.tsx";
import { TextField } from "../ui/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import { QrCode } from "./qr-code.tsx";

type Started = { totpURI: string; backupCodes: string[] };

/** Sets up an authenticator app: the password, the first code, and then the backup codes. */
export const SetUp = ({ onDone }: { onDone: () => void }) => {
	const [started, setStarted] = useState<Started | null>(null);
	const [isVerified, setVerified] = useState(false);
	if (started && isVerified) return <BackupCodes codes={started.backupCodes} onDone={onDone} />;
	if (started)
		return (
			<Step
				key="code"
				action="Verify"
				onSubmit={async (form) => {
					const code = String(form.get("code")).replaceAll(/\s/g, "");
					await unwrap(authClient.twoFactor.verifyTotp({ code }));
					setVerified(true);
				}}
			>
				<div className="grid justify-items-center gap-3">
					<QrCode text={started.totpURI} label="QR code for your authenticator app" />
				</div>
				<CopyField
					label="Key, if you cannot scan it"
					value={new URL(started.totpURI).searchParams.get("secret") ?? ""}
				/>
				<TextField
					label="Code"
					name="code"
					hint="The six digits that the app shows now."
					inputMode="numeric"
					autoComplete="one-time-code"
					pattern="[0-9 ]{6,7}"
					className="text-lg tracking-[0.2em] tabular-nums"
					autoFocus
					required
				/>
			</Step>
		);
	return (
		<Step
			key="password"
			action="Continue"
			onSubmit={async (form) => {
				const password = String(form.get("password"));
				const answer = await unwrap(authClient.twoFactor.enable({ password }));
				if ("totpURI" in answer) setStarted(answer as Started);
			}}
		>
			<TextField
				label="Your password"
				name="password"
				type="password"
				autoComplete="current-password"
				autoFocus
				required
			/>
		</Step>
	);
};

type StepProps = { action: string; onSubmit: (form: FormData) => Promise<void>; children: ReactNode };

const Step = ({ action, onSubmit, children }: StepProps) => {
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
		event.preventDefault();
		if (isBusy) return;
		setBusy(true);
		setProblem(null);
		await onSubmit(new FormData(event.currentTarget)).catch(setProblem);
		setBusy(false);
	};
	return (
		<form onSubmit={submit} className="grid gap-4">
			{children}
			{problem !== null && <ErrorNotice error={problem} />}
			<div className="flex justify-end">
				<Button type="submit" kind="primary" isBusy={isBusy}>
					{action}
				</Button>
			</div>
		</form>
	);
};
