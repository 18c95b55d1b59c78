import type { CurrentTenant } from "../../scope/data/schema.ts";
import type { Feature } from "../feature.ts";
import { signInTenantEmail } from "./sign-in-email.ts";
import { signUpTenantEmail } from "./sign-up-email.ts";

/** Sign-up and sign-in with a password, at a tenant. */
export const email = {
	endpoints: ({ current }: { current: CurrentTenant }) => ({
		signUpTenantEmail: signUpTenantEmail(current),
		signInTenantEmail: signInTenantEmail(current),
	}),
} satisfies Feature;
