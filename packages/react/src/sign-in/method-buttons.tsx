import type { SignInMethods } from "better-auth-tenants";
import { useState } from "react";
import type { Failure } from "../failures.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { signInWithPasskey, useHasPasskeys } from "../passkey.ts";
import { useScope } from "../scope.ts";
import { type SignedInProps, useCallbackURLs } from "../signed-in.ts";
import type { StepProps } from "./step.ts";

/** The steps that have a form. */
export type FormMethod = "password" | "email-link" | "email-code";

type Props = Pick<StepProps, "onResponse"> & {
	methods: SignInMethods;
	/** the forms that are not shown now */
	forms: FormMethod[];
	onForm: (form: FormMethod) => void;
	returnTo: SignedInProps["returnTo"];
	/** what went wrong elsewhere, if no form shows it */
	failure: Failure | null;
};

/** One button for each other way to sign in: forms first, then what leads elsewhere. */
export const MethodButtons = ({ methods, forms, onForm, onResponse, returnTo, failure: redirected }: Props) => {
	const { texts, send } = useScope();
	const callbackURLs = useCallbackURLs({ returnTo });
	const hasPasskeys = useHasPasskeys();
	const [failed, setFailure] = useState<Failure | null>(null);
	const failure = failed ?? redirected;
	const [isSending, setSending] = useState(false);
	const run = async (work: () => Promise<Failure | null>): Promise<void> => {
		if (isSending) return;
		setSending(true);
		setFailure(null);
		setFailure(await work());
		setSending(false);
	};
	// the response is an address, and Better Auth's client goes there
	const leave = (path: string, body: Record<string, unknown>) =>
		run(async () => (await send(path, { body: { ...body, ...callbackURLs() } })).failure);
	const button = (method: string, text: string, onClick: () => void) => (
		<button key={method} type="button" data-part="method" data-method={method} onClick={onClick}>
			{text}
		</button>
	);
	const formTexts = {
		password: texts.usePassword,
		"email-link": texts.useEmailLink,
		"email-code": texts.useEmailCode,
	};
	return (
		<div data-part="methods" aria-busy={isSending}>
			{forms.map((form) => button(form, formTexts[form], () => onForm(form)))}
			{methods.passkey.enabled &&
				hasPasskeys &&
				button("passkey", texts.usePasskey, () => run(async () => onResponse(await signInWithPasskey(send))))}
			{methods.providers.map(({ id, name }) =>
				button(`social:${id}`, texts.continueWith(name), () => leave("/sign-in/social", { provider: id })),
			)}
			{methods.sso.map(({ id }) =>
				button(`sso:${id}`, texts.continueWithSso(id), () => leave("/sign-in/sso", { providerId: id })),
			)}
			{methods.anonymous.enabled &&
				button("anonymous", texts.continueAnonymously, () =>
					run(async () => onResponse(await send("/sign-in/anonymous", { body: {} }))),
				)}
			<ErrorText text={failure ? texts.errors[failure.text] : ""} />
		</div>
	);
};
