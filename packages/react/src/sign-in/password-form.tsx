import type { SignInMethods } from "better-auth-tenants";
import type { Failure } from "../failures.ts";
import { Field } from "../parts/field.tsx";
import { EmailField } from "../parts/fields.tsx";
import { Form, type ReadField } from "../parts/form.tsx";
import { Link } from "../parts/link.tsx";
import { useScope } from "../scope.ts";
import type { StepProps } from "./step.ts";

type Props = StepProps & { methods: SignInMethods; failure: Failure | null; forgotPasswordHref: string | undefined };

/** Email or username, and password. */
export const PasswordForm = ({ methods, failure, forgotPasswordHref, email, onEmail, onResponse, focuses }: Props) => {
	const { texts, send } = useScope();
	const hasUsernames = methods.username.enabled;
	const submit = async (read: ReadField): Promise<Failure | null> => {
		const [name, password] = [read("email").trim(), read("password")];
		const isUsername = hasUsernames && !name.includes("@");
		return onResponse(
			await send(isUsername ? "/sign-in/username" : "/sign-in/email", {
				body: { ...(isUsername ? { username: name } : { email: name }), password },
			}),
		);
	};
	const first = { defaultValue: email, onInput: onEmail };
	return (
		<Form name="password" submit={texts.signIn} onSubmit={submit} failure={failure} focuses={focuses}>
			{hasUsernames ? (
				<Field name="email" label={texts.emailOrUsername} autoComplete="username" {...first} />
			) : (
				<EmailField {...first} />
			)}
			<Field name="password" type="password" label={texts.password} autoComplete="current-password" />
			<Link href={forgotPasswordHref} part="forgot-password">
				{texts.forgotPassword}
			</Link>
		</Form>
	);
};
