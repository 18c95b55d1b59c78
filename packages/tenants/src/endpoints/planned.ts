import type { Endpoint } from "./endpoint.ts";
import { endpointOf } from "./endpoints.ts";

/** For which endpoints something is. Without it, for all. */
export type ForEndpoints = { at?: (endpoint: Endpoint) => boolean };

/** Returns those of the things that are for the endpoint at a path, in their order. Each endpoint's are chosen once. */
export const planned = <Thing extends ForEndpoints>(things: readonly Thing[]) => {
	const plans = new WeakMap<Endpoint, readonly Thing[]>();
	return (path: string | undefined): readonly Thing[] => {
		const endpoint = endpointOf(path);
		const known = plans.get(endpoint);
		if (known) return known;
		const plan = things.filter(({ at }) => at === undefined || at(endpoint));
		plans.set(endpoint, plan);
		return plan;
	};
};
