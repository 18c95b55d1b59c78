import type { GenericEndpointContext } from "@better-auth/core";
import { addOAuthServerContext } from "better-auth/api";
import * as z from "zod";
import { endpointOf } from "../engine/endpoints.ts";

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

/** Binds whatever OAuth state this request may mint. */
export const bindFlow = (flow: FlowBinding): Promise<void> => addOAuthServerContext({ tenantAuth: flow });

/** The binding inside a stored state; null for one that carries none. */
export const readBinding = (value: string): FlowBinding | null => {
	try {
		return stateValue.parse(JSON.parse(value)).serverContext.tenantAuth;
	} catch {
		return null;
	}
};

/** The provider a request is about, under the names the engine's endpoints have for it. */
export const namedProvider = (ctx: GenericEndpointContext): string | null => {
	const { provider } = endpointOf(ctx.path);
	if (provider !== null) return provider;
	const candidates: unknown[] = [
		ctx.body?.provider,
		ctx.body?.providerId,
		ctx.params?.id,
		ctx.params?.providerId,
		ctx.query?.provider,
		ctx.query?.providerId,
	];
	const named = candidates.find((candidate) => typeof candidate === "string" && candidate !== "");
	return typeof named === "string" ? named : null;
};
