import { PLACE } from "../place.ts";

/** The tenant's own sign-in page, which comes back to the console. */
export const hostedSignIn = (returnTo = "/"): string =>
	`${PLACE.signIn}?${new URLSearchParams({ returnTo: `${PLACE.console}${returnTo === "/" ? "" : returnTo}` })}`;
