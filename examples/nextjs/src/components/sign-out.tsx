"use client";

import { authClient } from "./auth-client.ts";

const signOut = async (): Promise<void> => {
	await authClient.signOut();
	location.assign("/sign-in");
};

export const SignOut = () => (
	<button type="button" className="secondary" onClick={signOut}>
		Sign out
	</button>
);
