import type { SignInMethods } from "better-auth-tenants";
import { type ReactNode, useState } from "react";
import { type Failure, failureOfRedirect } from "../failures.ts";
import { Aside } from "../parts/link.tsx";
import { Notice } from "../parts/notice.tsx";
import { useScope } from "../scope.ts";
import type { Outcome } from "../send.ts";
import { type SignInResponse, useSignedIn } from "../signed-in.ts";
import type { AddressHints } from "./address-hints.ts";
import { EmailCodeForm } from "./email-code-form.tsx";
import { EmailLinkForm } from "./email-link-form.tsx";
import { type FormMethod, MethodButtons } from "./method-buttons.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondFactor } from "./second-factor.tsx";
import type { SignInProps } from "./sign-in-props.ts";

type Step = { name: FormMethod; focuses: boolean } | { name: "second-factor"; ways: string[] } | { name: "enroll" };

/** A redirect does not say how the user can verify. */
const ALL_WAYS = ["totp", "otp"];

type Props = Omit<SignInProps, "className"> & { methods: SignInMethods; hints: AddressHints | null };

/** The steps of a sign-in: a form with buttons for the other methods, then the second factor if the server asks for it. */
export const Steps = ({ methods, hints, ...props }: Props): ReactNode => {
	const { returnTo, signUpHref, forgotPasswordHref, offersTrustDevice = false, onEnroll, children } = props;
	const { texts } = useScope();
	const signedIn = useSignedIn(props);
	const forms = formsOf(methods);
	const [first = null] = forms;
	const [step, setStep] = useState<Step | null>(() => firstStep(hints, first));
	const [email, setEmail] = useState("");
	const show = (name: FormMethod | null) => setStep(name && { name, focuses: true });
	const enroll = () => {
		setStep({ name: "enroll" });
		onEnroll?.();
	};
	const onResponse = ({ data, failure }: Outcome<SignInResponse>): Failure | null => {
		if (failure) return failure;
		if (data?.secondFactor === "enroll") enroll();
		else if (data?.twoFactorRedirect) setStep({ name: "second-factor", ways: data.twoFactorMethods ?? ALL_WAYS });
		else signedIn();
		return null;
	};
	if (step?.name === "enroll") return <Notice>{texts.enroll}</Notice>;
	if (step?.name === "second-factor")
		return (
			<SecondFactor
				ways={step.ways}
				offersTrust={offersTrustDevice}
				onResponse={onResponse}
				onBack={() => show(first)}
			/>
		);
	const redirected = hints?.error ? failureOfRedirect(hints.error) : null;
	const given = { email, onEmail: setEmail, onResponse, focuses: step?.focuses ?? false, failure: redirected };
	const others = forms.filter((form) => form !== step?.name);
	const hasMore = others.length > 0 || hasButtons(methods);
	return (
		<>
			{step?.name === "password" && (
				<PasswordForm methods={methods} forgotPasswordHref={forgotPasswordHref} {...given} />
			)}
			{step?.name === "email-link" && <EmailLinkForm returnTo={returnTo} {...given} />}
			{step?.name === "email-code" && <EmailCodeForm {...given} />}
			{step && hasMore && <p data-part="separator">{texts.or}</p>}
			{!step && !hasMore && <p data-part="empty">{texts.noMethods}</p>}
			{hasMore && (
				<MethodButtons
					methods={methods}
					forms={others}
					onForm={show}
					onResponse={onResponse}
					returnTo={returnTo}
					failure={step ? null : redirected}
				/>
			)}
			{children}
			{methods.email.signUp && (
				<Aside text={texts.noAccount} href={signUpHref}>
					{texts.createAccount}
				</Aside>
			)}
		</>
	);
};

const firstStep = (hints: AddressHints | null, form: FormMethod | null): Step | null => {
	if (hints?.secondFactor === "verify") return { name: "second-factor", ways: ALL_WAYS };
	if (hints?.secondFactor === "enroll") return { name: "enroll" };
	return form && { name: form, focuses: false };
};

const formsOf = ({ email, username, magicLink, emailOtp }: SignInMethods): FormMethod[] => [
	...(email.enabled || username.enabled ? (["password"] as const) : []),
	...(magicLink.enabled ? (["email-link"] as const) : []),
	...(emailOtp.enabled ? (["email-code"] as const) : []),
];

const hasButtons = ({ passkey, providers, sso, anonymous }: SignInMethods): boolean =>
	passkey.enabled || providers.length > 0 || sso.length > 0 || anonymous.enabled;
