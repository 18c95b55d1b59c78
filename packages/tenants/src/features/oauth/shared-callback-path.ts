/**
 * Where providers return to for every tenant, on `oauth.callbackHost`. It differs from the path on a tenant's host, so a flow is
 * bound to one of the two, and a code that arrives at the other is rejected.
 */
export const sharedCallbackPath = (providerId: string): string => `/tenant/shared-callback/${providerId}`;
