import { type ReactNode, useState } from "react";
import { EmailField } from "./parts/fields.tsx";
import { Form } from "./parts/form.tsx";
import { Link } from "./parts/link.tsx";
import { Notice } from "./parts/notice.tsx";
import { useScope } from "./scope.ts";

/**
 * Properties of `ForgotPassword`.
 *
 * @example
 * ```tsx
 * const props: ForgotPasswordProps = { resetPath: "/reset-password", signInHref: "/sign-in" };
 * ```
 */
export type ForgotPasswordProps = {
	/** The path of the page with `ResetPassword`, at this origin. The link in the mail leads there, with `token` in its query. */
	resetPath: string;
	/** The page with `SignIn`. */
	signInHref?: string;
	/** The class of the outer element. */
	className?: string;
};

/**
 * Sends a link to choose a new password. The message is the same whether or not the tenant has the account.
 *
 * @example
 * ```tsx
 * const Page = () => <ForgotPassword resetPath="/reset-password" signInHref="/sign-in" />;
 * ```
 */
export const ForgotPassword = ({ resetPath, signInHref, className }: ForgotPasswordProps): ReactNode => {
	const { texts, send } = useScope();
	const [sentTo, setSentTo] = useState<string | null>(null);
	return (
		<section className={className} data-part="forgot-password">
			{sentTo === null ? (
				<Form
					name="forgot-password"
					submit={texts.sendLink}
					onSubmit={async (read) => {
						const email = read("email").trim();
						const redirectTo = new URL(resetPath, location.origin).href;
						const { failure } = await send("/request-password-reset", { body: { email, redirectTo } });
						if (!failure) setSentTo(email);
						return failure;
					}}
				>
					<p data-part="intro">{texts.forgotIntro}</p>
					<EmailField />
				</Form>
			) : (
				<Notice>{texts.resetSent(sentTo)}</Notice>
			)}
			<Link href={signInHref} part="back">
				{texts.back}
			</Link>
		</section>
	);
};
