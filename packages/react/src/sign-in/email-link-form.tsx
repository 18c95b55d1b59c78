import { useState } from "react";
import type { Failure } from "../failures.ts";
import { EmailField } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { useScope } from "../scope.ts";
import { type SignedInProps, useCallbackURLs } from "../signed-in.ts";
import type { StepProps } from "./step.ts";

type Props = Omit<StepProps, "onResponse"> & { returnTo: SignedInProps["returnTo"]; failure: Failure | null };

/** A link in an email. */
export const EmailLinkForm = ({ email, onEmail, focuses, returnTo, failure }: Props) => {
	const { texts, send } = useScope();
	const callbackURLs = useCallbackURLs({ returnTo });
	const [sentTo, setSentTo] = useState<string | null>(null);
	if (sentTo !== null) return <Notice>{texts.linkSent(sentTo)}</Notice>;
	return (
		<Form
			name="email-link"
			submit={texts.sendLink}
			failure={failure}
			focuses={focuses}
			onSubmit={async (read) => {
				const address = read("email").trim();
				const { failure } = await send("/sign-in/magic-link", { body: { email: address, ...callbackURLs() } });
				if (!failure) setSentTo(address);
				return failure;
			}}
		>
			<p data-part="intro">{texts.emailLinkIntro}</p>
			<EmailField defaultValue={email} onInput={onEmail} />
		</Form>
	);
};
