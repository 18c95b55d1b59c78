import { useState } from "react";
import { authClient } from "../api/client.ts";
import { unwrap } from "../api/problem.ts";
import { BackupCodes } from "../second-factor/backup-codes.tsx";
import { SetUp } from "../second-factor/set-up.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { say } from "../ui/toasts.tsx";
import { useReloadAccount } from "./use-reload-account.ts";

type Open = "set-up" | "codes" | "turn-off" | null;

/** The authenticator app: set up, new backup codes, turn off. */
export const SecondFactorCard = ({ isOn, hasPassword }: { isOn: boolean; hasPassword: boolean }) => {
	const [open, setOpen] = useState<Open>(null);
	const [codes, setCodes] = useState<string[] | null>(null);
	const reload = useReloadAccount();
	const close = (): void => {
		setOpen(null);
		setCodes(null);
		void reload();
	};
	const makeCodes = async (form: FormData): Promise<void> => {
		const password = String(form.get("password"));
		setCodes((await unwrap(authClient.twoFactor.generateBackupCodes({ password }))).backupCodes);
	};
	const turnOff = async (form: FormData): Promise<void> => {
		await unwrap(authClient.twoFactor.disable({ password: String(form.get("password")) }));
		say("The second factor is turned off");
	};
	return (
		<>
			<Card
				title={
					<span className="flex items-center gap-2.5">
						Second factor {isOn ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
					</span>
				}
				intro="A code from an authenticator app, after your password. A stolen password is then not enough."
				actions={
					isOn ? (
						<>
							<Button onClick={() => setOpen("codes")}>New backup codes</Button>
							<Button onClick={() => setOpen("turn-off")}>Turn off</Button>
						</>
					) : (
						hasPassword && (
							<Button kind="primary" onClick={() => setOpen("set-up")}>
								Set up
							</Button>
						)
					)
				}
			>
				{!isOn && !hasPassword && (
					<p className="text-sm text-soft">
						Your account has no password, so the provider that you sign in with protects it.
					</p>
				)}
			</Card>
			<Dialog title="Set up your authenticator app" isOpen={open === "set-up"} onClose={close}>
				<SetUp onDone={close} />
			</Dialog>
			<Dialog title="Your new backup codes" isOpen={codes !== null} onClose={close}>
				<BackupCodes codes={codes ?? []} onDone={close} />
			</Dialog>
			<FormDialog
				title="Make new backup codes?"
				intro="The codes that you have now stop working."
				action="Make new codes"
				isOpen={open === "codes" && codes === null}
				onClose={() => setOpen(null)}
				onSubmit={makeCodes}
			>
				<PasswordField />
			</FormDialog>
			<FormDialog
				title="Turn the second factor off?"
				intro="Your password alone will then be enough to sign in. If a second factor is required here, you will have to set it up again at once."
				action="Turn off"
				isDanger
				isOpen={open === "turn-off"}
				onClose={close}
				onSubmit={turnOff}
			>
				<PasswordField />
			</FormDialog>
		</>
	);
};

const PasswordField = () => (
	<TextField label="Your password" name="password" type="password" autoComplete="current-password" required autoFocus />
);
