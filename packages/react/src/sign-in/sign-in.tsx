import { type ReactNode, useEffect, useState } from "react";
import { WithMethods } from "../parts/with-methods.tsx";
import { type AddressHints, takeAddressHints } from "./address-hints.ts";
import type { SignInProps } from "./sign-in-props.ts";
import { Steps } from "./steps.tsx";

/**
 * Signs a user in to the tenant. Shows what `/tenant/methods` returns: password, link and code by email, passkey, social
 * providers, SSO, anonymous accounts. Asks for the second factor if the server does.
 *
 * @example
 * ```tsx
 * const Page = () => (
 * 	<main>
 * 		<h1>Sign in</h1>
 * 		<SignIn
 * 			returnTo={new URLSearchParams(location.search).get("returnTo")}
 * 			signUpHref="/sign-up"
 * 			forgotPasswordHref="/forgot-password"
 * 		/>
 * 	</main>
 * );
 * ```
 */
export const SignIn = ({ className, ...props }: SignInProps): ReactNode => {
	const { onEnroll } = props;
	const [hints, setHints] = useState<AddressHints | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the address is read once
	useEffect(() => {
		const taken = takeAddressHints();
		if (taken) setHints(taken);
		if (taken?.secondFactor === "enroll") onEnroll?.();
	}, []);
	return (
		<section className={className} data-part="sign-in">
			<WithMethods>
				{/* the address is known after the first rendering only, and then decides the first step */}
				{(methods) => <Steps key={hints ? "redirected" : "start"} methods={methods} hints={hints} {...props} />}
			</WithMethods>
		</section>
	);
};
