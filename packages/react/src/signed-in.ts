import { safeReturnTo } from "./return-to.ts";
import { useScope } from "./scope.ts";

/**
 * Properties of all components that sign in.
 *
 * @example
 * ```tsx
 * const props: SignedInProps = { returnTo: "/dashboard" };
 * ```
 */
export type SignedInProps = {
	/**
	 * Where to go afterwards: a path, or a URL at the page's origin or one of `allowedOrigins`. Anything else is ignored, so you can
	 * pass it from the address. Without it, the page stays and the session changes.
	 */
	returnTo?: string | null | undefined;
	/** Called after the sign-in, instead of going to `returnTo`. Social providers, SSO and links in emails load a new page instead. */
	onSignedIn?: (() => void) | undefined;
	/** Called if the tenant requires a second factor and the user has none. Lead the user to the page that sets one up. */
	onEnroll?: (() => void) | undefined;
};

/** What an endpoint returns that signs in. */
export type SignInResponse = {
	token?: string | null;
	twoFactorRedirect?: boolean;
	twoFactorMethods?: string[];
	secondFactor?: "verify" | "enroll";
} | null;

/** Returns the function that ends a sign-in: it loads the session again and leaves the page. */
export const useSignedIn = ({ returnTo, onSignedIn }: Pick<SignedInProps, "returnTo" | "onSignedIn">): (() => void) => {
	const { authClient, allowedOrigins } = useScope();
	return () => {
		authClient.$store.notify("$sessionSignal");
		if (onSignedIn) return onSignedIn();
		const target = safeReturnTo(returnTo, { origin: location.origin, allowedOrigins });
		if (target) location.assign(target);
	};
};

/** Returns the URLs for a sign-in that leaves the page. Absolute, because the server may be at another origin. */
export const useCallbackURLs = ({ returnTo }: Pick<SignedInProps, "returnTo">) => {
	const { allowedOrigins } = useScope();
	return () => {
		// without the query: it can contain what this sign-in is not about, such as the error of the last one
		const page = `${location.origin}${location.pathname}`;
		const target = safeReturnTo(returnTo, { origin: location.origin, allowedOrigins });
		return { callbackURL: target ?? page, errorCallbackURL: page };
	};
};
