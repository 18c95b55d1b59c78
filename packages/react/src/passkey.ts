import { useSyncExternalStore } from "react";
import type { Failure } from "./failures.ts";
import type { Outcome, Send } from "./send.ts";
import type { SignInResponse } from "./signed-in.ts";

const isSupported = (): boolean =>
	typeof PublicKeyCredential !== "undefined" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

const subscribe = () => () => {};

/** Whether the browser can use passkeys. False on the server, so that both render the same first. */
export const useHasPasskeys = (): boolean => useSyncExternalStore(subscribe, isSupported, () => false);

const CANCELLED: Failure = { text: "cancelled" };

/** Signs in with a passkey: the browser asks for it, and the server verifies it. */
export const signInWithPasskey = async (send: Send): Promise<Outcome<SignInResponse>> => {
	const asked = await send<PublicKeyCredentialRequestOptionsJSON>("/passkey/generate-authenticate-options");
	if (asked.failure) return asked;
	try {
		const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.data);
		const credential = await navigator.credentials.get({ publicKey });
		if (!(credential instanceof PublicKeyCredential)) return { data: null, failure: CANCELLED };
		return await send<SignInResponse>("/passkey/verify-authentication", { body: { response: credential.toJSON() } });
	} catch {
		// the browser says the same for a user who cancels and for a device without a passkey
		return { data: null, failure: CANCELLED };
	}
};
