import type { ReactNode } from "react";
import type { SignedInProps } from "../signed-in.ts";

/**
 * Properties of `SignIn`.
 *
 * @example
 * ```tsx
 * const props: SignInProps = { returnTo: "/dashboard", signUpHref: "/sign-up", forgotPasswordHref: "/forgot-password" };
 * ```
 */
export type SignInProps = SignedInProps & {
	/** The page with `SignUp`. Its link is shown if users can sign up with email and password. */
	signUpHref?: string;
	/** The page with `ForgotPassword`. Its link is shown in the password form. */
	forgotPasswordHref?: string;
	/** Offers users to skip the second factor on this device from now on. Not offered by default. */
	offersTrustDevice?: boolean;
	/** The class of the outer element. */
	className?: string;
	/** Shown after the tenant's methods, such as a button for a wallet. */
	children?: ReactNode;
};
