import type { GenericEndpointContext } from "@better-auth/core";

/** For this request, nobody who exists is linked because of an email address. */
export const forbidImplicitLinking = (context: GenericEndpointContext["context"]): void => {
	const { options } = context;
	context.options = {
		...options,
		account: {
			...options.account,
			accountLinking: { ...options.account?.accountLinking, disableImplicitLinking: true },
		},
	};
};
