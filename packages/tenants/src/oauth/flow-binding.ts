import * as z from "zod";

/** Stands in the binding of flows of the SSO plugin, which has a callback for each of its providers. */
export const SSO_CALLBACK = "/sso/callback";

/** What an OAuth flow was started for. It travels in the state's server-side part, which no client can write. */
const binding = z.object({
	tenantId: z.string(),
	providerId: z.string(),
	/** which credentials; a config that was changed in mid-flow is not the same any more */
	source: z.string(),
	/** the path at which it has to end */
	callback: z.string(),
});
export type FlowBinding = z.infer<typeof binding>;

const stateValue = z.looseObject({ serverContext: z.looseObject({ tenantAuth: binding }) });

/** The binding inside a stored state; null for one that carries none. */
export const readBinding = (value: string): FlowBinding | null => {
	try {
		return stateValue.parse(JSON.parse(value)).serverContext.tenantAuth;
	} catch {
		return null;
	}
};
