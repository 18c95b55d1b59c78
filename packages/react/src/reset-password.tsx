import { type ReactNode, useState } from "react";
import { NewPasswordField } from "./parts/fields.tsx";
import { Form } from "./parts/form.tsx";
import { Link } from "./parts/link.tsx";
import { Notice } from "./parts/notice.tsx";
import { useScope } from "./scope.ts";

/**
 * Properties of `ResetPassword`.
 *
 * @example
 * ```tsx
 * const props: ResetPasswordProps = { token, signInHref: "/sign-in" };
 * ```
 */
export type ResetPasswordProps = {
	/** The `token` in the address of the page. Remove it from the address when you have read it. */
	token: string;
	/** The page with `SignIn`. */
	signInHref?: string;
	/** The class of the outer element. */
	className?: string;
};

/**
 * Sets a new password with the token of a reset link. The token works in its own tenant only.
 *
 * @example
 * ```tsx
 * const Page = () => <ResetPassword token={token} signInHref="/sign-in" />;
 * ```
 */
export const ResetPassword = ({ token, signInHref, className }: ResetPasswordProps): ReactNode => {
	const { texts, send } = useScope();
	const [isSaved, setSaved] = useState(false);
	return (
		<section className={className} data-part="reset-password">
			{isSaved ? (
				<Notice>{texts.passwordSaved}</Notice>
			) : (
				<Form
					name="reset-password"
					submit={texts.savePassword}
					onSubmit={async (read) => {
						const { failure } = await send("/reset-password", { body: { token, newPassword: read("password") } });
						setSaved(failure === null);
						return failure;
					}}
				>
					<NewPasswordField label={texts.newPassword} />
				</Form>
			)}
			<Link href={signInHref} part="sign-in-link">
				{texts.signIn}
			</Link>
		</section>
	);
};
