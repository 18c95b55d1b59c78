import { useState } from "react";
import type { Failure } from "../failures.ts";
import { CodeField, EmailField } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";
import { useScope } from "../scope.ts";
import type { StepProps } from "./step.ts";

type Props = StepProps & { failure: Failure | null };

/** A code in an email: first the address, then the code. */
export const EmailCodeForm = ({ email, onEmail, onResponse, focuses, failure }: Props) => {
	const { texts, send } = useScope();
	const [sentTo, setSentTo] = useState<string | null>(null);
	if (sentTo === null)
		return (
			<Form
				key="address"
				name="email-code"
				submit={texts.sendCode}
				failure={failure}
				focuses={focuses}
				onSubmit={async (read) => {
					const address = read("email").trim();
					const body = { email: address, type: "sign-in" };
					const { failure } = await send("/email-otp/send-verification-otp", { body });
					if (!failure) setSentTo(address);
					return failure;
				}}
			>
				<p data-part="intro">{texts.emailCodeIntro}</p>
				<EmailField defaultValue={email} onInput={onEmail} />
			</Form>
		);
	return (
		<Form
			key="code"
			name="email-code-verify"
			submit={texts.signIn}
			focuses
			onSubmit={async (read) =>
				onResponse(await send("/sign-in/email-otp", { body: { email: sentTo, otp: read("code").trim() } }))
			}
		>
			<p role="status" data-part="intro">
				{texts.codeSent(sentTo)}
			</p>
			<CodeField />
		</Form>
	);
};
