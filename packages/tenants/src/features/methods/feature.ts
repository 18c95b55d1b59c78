import type { HintSources } from "../../resolve/hint.ts";
import type { Feature } from "../feature.ts";
import { signInMethods } from "./sign-in-methods.ts";

/** Which ways in a tenant offers, for sign-in pages. */
export const methods = {
	endpoints: ({ options }: { options: { sources: HintSources } }) => ({
		getTenantSignInMethods: signInMethods(options.sources),
	}),
} satisfies Feature;
