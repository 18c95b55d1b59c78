import { useState } from "react";
import type { Failure } from "../failures.ts";
import { Field } from "../parts/field.tsx";
import { CodeField } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";
import { useScope } from "../scope.ts";
import type { StepProps } from "./step.ts";

type Way = "totp" | "otp" | "backup";

const PATHS: Record<Way, string> = {
	totp: "/two-factor/verify-totp",
	otp: "/two-factor/verify-otp",
	backup: "/two-factor/verify-backup-code",
};

type Props = Pick<StepProps, "onResponse"> & { ways: string[]; offersTrust: boolean; onBack: () => void };

/** The second factor: a code of an app, a code by email, or a backup code. */
export const SecondFactor = ({ ways, offersTrust, onResponse, onBack }: Props) => {
	const { texts, send } = useScope();
	const offered: Way[] = [...(["totp", "otp"] as const).filter((way) => ways.includes(way)), "backup"];
	const [way, setWay] = useState<Way>(offered[0] ?? "backup");
	const [isSent, setSent] = useState(false);
	const requestCode = async (): Promise<Failure | null> => {
		const { failure } = await send("/two-factor/send-otp", { body: {} });
		setSent(failure === null);
		return failure;
	};
	const names = { totp: texts.useTotp, otp: texts.useOtp, backup: texts.useBackup };
	const intros = { totp: texts.totpIntro, otp: texts.otpIntro, backup: texts.backupIntro };
	return (
		<div data-part="second-factor">
			{way === "otp" && !isSent ? (
				<Form key="send" name="send-otp" submit={texts.useOtp} onSubmit={requestCode}>
					<p role="status" data-part="intro">
						{texts.otpOffer}
					</p>
				</Form>
			) : (
				<Form
					key={way}
					name={way}
					submit={texts.confirm}
					focuses
					onSubmit={async (read) => {
						const trustDevice = read("trust") === "yes";
						return onResponse(await send(PATHS[way], { body: { code: read("code").trim(), trustDevice } }));
					}}
				>
					<p role="status" data-part="intro">
						{intros[way]}
					</p>
					{way === "backup" ? <Field name="code" label={texts.backupCode} autoComplete="off" /> : <CodeField />}
					{offersTrust && (
						<label data-part="trust-device">
							<input type="checkbox" name="trust" value="yes" /> {texts.trustDevice}
						</label>
					)}
				</Form>
			)}
			<div data-part="methods">
				{offered
					.filter((other) => other !== way)
					.map((other) => (
						<button key={other} type="button" data-part="method" data-method={other} onClick={() => setWay(other)}>
							{names[other]}
						</button>
					))}
				<button type="button" data-part="back" onClick={onBack}>
					{texts.back}
				</button>
			</div>
		</div>
	);
};
