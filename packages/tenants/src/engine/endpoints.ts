import { type Endpoint, type EndpointRow, type EndpointTable, UNKNOWN } from "./endpoint.ts";
import { BUNDLED_ENDPOINTS } from "./endpoints/bundled-plugins.ts";
import { CORE_ENDPOINTS } from "./endpoints/core.ts";
import { FAMILIES } from "./endpoints/families.ts";
import { PACKAGED_ENDPOINTS } from "./endpoints/packaged-plugins.ts";
import { TENANT_ENDPOINTS } from "./endpoints/tenants.ts";
import { matchesPath } from "./path-pattern.ts";

/**
 * Everything this package knows about the endpoints of the engine, of its official plugins, and of its own. The surface
 * proof fails when one of them is missing here.
 */
export const ENDPOINTS: EndpointTable = {
	...CORE_ENDPOINTS,
	...TENANT_ENDPOINTS,
	...BUNDLED_ENDPOINTS,
	...PACKAGED_ENDPOINTS,
};

const complete = (row: EndpointRow): Endpoint => ({ ...UNKNOWN, ...row });

const known = new Map(Object.entries(ENDPOINTS).map(([path, row]) => [path, complete(row)]));
const families = FAMILIES.map(({ pattern, ...row }) => ({ pattern, endpoint: complete(row) }));

/**
 * What is known about the endpoint at a path, as the engine's router spells it. Nothing is kept of paths that are not in
 * the table: anyone can send one.
 */
export const endpointOf = (path: string | undefined): Endpoint => {
	if (!path) return UNKNOWN;
	return known.get(path) ?? families.find(({ pattern }) => matchesPath(pattern, path))?.endpoint ?? UNKNOWN;
};

/** The rows of our endpoints that hand on to one of the engine's, by path. */
export const DELEGATES: readonly [ours: string, theirs: string][] = [...known].flatMap(([path, { delegatesTo }]) =>
	delegatesTo === null ? [] : [[path, delegatesTo]],
);

/** The rows of our endpoints that have a limit of their own, by path. */
export const LIMITED: readonly [path: string, limit: NonNullable<Endpoint["rateLimit"]>][] = [...known].flatMap(
	([path, { rateLimit }]) => (rateLimit === null ? [] : [[path, rateLimit]]),
);
