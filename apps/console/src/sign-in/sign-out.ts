import { authClient } from "../api/client.ts";
import { PLACE } from "../place.ts";

/** Ends the session and loads everything again, so that nothing of this user stays in memory. */
export const signOut = async (): Promise<void> => {
	await authClient.signOut();
	location.assign(`${PLACE.console}/sign-in`);
};
