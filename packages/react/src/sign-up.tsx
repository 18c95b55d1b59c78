import { type ReactNode, useState } from "react";
import { EmailField, NameField, NewPasswordField } from "./parts/fields.tsx";
import { Form } from "./parts/form.tsx";
import { Aside } from "./parts/link.tsx";
import { Notice } from "./parts/notice.tsx";
import { WithMethods } from "./parts/with-methods.tsx";
import { useScope } from "./scope.ts";
import { type SignedInProps, type SignInResponse, useCallbackURLs, useSignedIn } from "./signed-in.ts";

/**
 * Properties of `SignUp`.
 *
 * @example
 * ```tsx
 * const props: SignUpProps = { returnTo: "/welcome", signInHref: "/sign-in" };
 * ```
 */
export type SignUpProps = SignedInProps & {
	/** The page with `SignIn`, for users who have an account. */
	signInHref?: string;
	/** The class of the outer element. */
	className?: string;
};

/**
 * Creates an account with email and password in the tenant. If the server wants the address to be confirmed first, it says so
 * instead of signing in. The same message is shown if the address is taken, so that it does not reveal accounts.
 *
 * @example
 * ```tsx
 * const Page = () => <SignUp returnTo="/welcome" signInHref="/sign-in" />;
 * ```
 */
export const SignUp = ({ className, ...props }: SignUpProps): ReactNode => (
	<section className={className} data-part="sign-up">
		<WithMethods>{({ email }) => <SignUpForm isOpen={email.signUp} {...props} />}</WithMethods>
	</section>
);

const SignUpForm = ({ isOpen, signInHref, ...props }: Omit<SignUpProps, "className"> & { isOpen: boolean }) => {
	const { texts, send } = useScope();
	const signedIn = useSignedIn(props);
	const callbackURLs = useCallbackURLs(props);
	const [waitsFor, setWaitsFor] = useState<string | null>(null);
	const [lacksFactor, setLacksFactor] = useState(false);
	if (lacksFactor) return <Notice>{texts.enroll}</Notice>;
	if (waitsFor !== null) return <Notice>{texts.verifyEmail(waitsFor)}</Notice>;
	return (
		<>
			{isOpen ? (
				<Form
					name="sign-up"
					submit={texts.signUp}
					onSubmit={async (read) => {
						const [name, email] = [read("name").trim(), read("email").trim()];
						// where the link in the mail leads
						const { callbackURL } = callbackURLs();
						const body = { name, email, password: read("password"), callbackURL };
						const { data, failure } = await send<SignInResponse>("/sign-up/email", { body });
						if (failure) return failure;
						if (data?.secondFactor) {
							setLacksFactor(true);
							props.onEnroll?.();
						} else if (data?.token) signedIn();
						else setWaitsFor(email);
						return null;
					}}
				>
					<NameField />
					<EmailField />
					<NewPasswordField label={texts.password} />
				</Form>
			) : (
				<p data-part="empty">{texts.signUpClosed}</p>
			)}
			<Aside text={texts.haveAccount} href={signInHref}>
				{texts.signIn}
			</Aside>
		</>
	);
};
