import * as z from "zod";

/** The `callback` of every SSO flow. The SSO plugin has one callback per provider. */
export const SSO_CALLBACK = "/sso/callback";

/**
 * Begins the `callback` of a flow that tests a config. It is part of the callback, so a version of this package that does not
 * know tests rejects such a state at every callback instead of signing in.
 */
const TEST = "test:";

export const testCallback = (callback: string): string => `${TEST}${callback}`;

export const isTest = ({ callback }: FlowBinding): boolean => callback.startsWith(TEST);

/** What an OAuth flow was started for. Stored in the server-side part of the state, which no client can write. */
const binding = z.object({
	tenantId: z.string(),
	providerId: z.string(),
	/** the credential source; changing a config ends its pending flows */
	source: z.string(),
	/** the path where the flow must end */
	callback: z.string(),
	/** the host where the flow began, if it returns there from `oauth.callbackHost` */
	returnTo: z.string().optional(),
});
export type FlowBinding = z.infer<typeof binding>;

const stateValue = z.looseObject({ serverContext: z.looseObject({ tenantAuth: binding }) });

/** Reads the binding from a stored state. Null if there is none. */
export const readBinding = (value: string): FlowBinding | null => {
	try {
		return stateValue.parse(JSON.parse(value)).serverContext.tenantAuth;
	} catch {
		return null;
	}
};

const withCallbackURL = z.looseObject({ callbackURL: z.url() });

/** The URL that a flow returns to. A test stores an absolute one. */
export const readCallbackURL = (value: string): string => withCallbackURL.parse(JSON.parse(value)).callbackURL;

/** The same state, expired and without its code verifier. Its error URL stays. */
export const expireState = (value: string): string =>
	JSON.stringify({ ...stateValue.parse(JSON.parse(value)), expiresAt: 0, codeVerifier: "" });

const redeemable = z.looseObject({ codeVerifier: z.string(), expiresAt: z.number() });

/** When a state expires, in milliseconds. */
export const readExpiry = (value: string): number => redeemable.parse(JSON.parse(value)).expiresAt;

/** The code verifier of a state. The provider knows only its hash. */
export const readVerifier = (value: string): string => redeemable.parse(JSON.parse(value)).codeVerifier;
