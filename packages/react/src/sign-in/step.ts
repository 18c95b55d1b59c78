import type { Failure } from "../failures.ts";
import type { Outcome } from "../send.ts";
import type { SignInResponse } from "../signed-in.ts";

/** What every step of the sign-in gets. */
export type StepProps = {
	/** the address that was typed in an earlier step */
	email: string;
	onEmail: (email: string) => void;
	/** continues with what the server returned: done, or a second factor. Returns what went wrong */
	onResponse: (outcome: Outcome<SignInResponse>) => Failure | null;
	/** whether the step replaced another one, so that the focus follows */
	focuses: boolean;
};
