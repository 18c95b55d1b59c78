import type { GenericEndpointContext } from "@better-auth/core";

/**
 * Replaces the name that plugins show users where the application set no other one: the issuer in an authenticator app, the name
 * of a passkey. The engine copies its context for each dispatch, so this changes no other request.
 * test/engine/app-name.test.ts fails if a plugin reads the name from somewhere else.
 */
export const setAppName = ({ context }: Pick<GenericEndpointContext, "context">, appName: string): void => {
	Object.assign(context, { appName } satisfies Partial<typeof context>);
};
