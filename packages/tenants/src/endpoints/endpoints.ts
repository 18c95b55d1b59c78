import { matchesPath } from "../engine/path-pattern.ts";
import { type Endpoint, type EndpointRow, type EndpointTable, UNKNOWN } from "./endpoint.ts";
import { BUNDLED_ENDPOINTS } from "./rows/bundled-plugins.ts";
import { CORE_ENDPOINTS } from "./rows/core.ts";
import { FAMILIES } from "./rows/families.ts";
import { INVITATION_ENDPOINTS } from "./rows/invitations.ts";
import { NAMED_USERS, NAMES_NOBODY } from "./rows/named-users.ts";
import { PACKAGED_ENDPOINTS } from "./rows/packaged-plugins.ts";
import { SECOND_FACTOR_ENDPOINTS } from "./rows/second-factor.ts";
import { SIGN_IN_WAYS } from "./rows/sign-in-ways.ts";
import { ADMIN_ENDPOINTS } from "./rows/tenant-admin.ts";
import { TENANT_ENDPOINTS } from "./rows/tenants.ts";

/**
 * All endpoints of the engine, of its official plugins, and those of this package that are no plain management. The surface proof
 * fails if one is missing.
 */
export const ENDPOINTS: EndpointTable = {
	...CORE_ENDPOINTS,
	...TENANT_ENDPOINTS,
	...ADMIN_ENDPOINTS,
	...INVITATION_ENDPOINTS,
	...SECOND_FACTOR_ENDPOINTS,
	...BUNDLED_ENDPOINTS,
	...PACKAGED_ENDPOINTS,
};

const complete = (row: EndpointRow): Endpoint => ({ ...UNKNOWN, ...row });

const known = new Map(
	Object.entries(ENDPOINTS).map(([path, row]) => [
		path,
		complete({ ...row, ...SIGN_IN_WAYS[path], ...(NAMED_USERS[path] ?? NAMES_NOBODY) }),
	]),
);
const families = FAMILIES.map(({ pattern, ...row }) => ({ pattern, endpoint: complete(row) }));

/**
 * The properties of the endpoint at a path, as the engine's router writes it. Unknown paths are not cached, because
 * anyone can send them.
 */
export const endpointOf = (path: string | undefined): Endpoint => {
	if (!path) return UNKNOWN;
	return known.get(path) ?? families.find(({ pattern }) => matchesPath(pattern, path))?.endpoint ?? UNKNOWN;
};

/** Paths of our endpoints that call an endpoint of the engine, with that endpoint's path. */
export const DELEGATES: readonly [ours: string, theirs: string][] = [...known].flatMap(([path, { delegatesTo }]) =>
	delegatesTo === null ? [] : [[path, delegatesTo]],
);

/** Paths of our endpoints that have their own rate limit. */
export const LIMITED: readonly [path: string, limit: NonNullable<Endpoint["rateLimit"]>][] = [...known].flatMap(
	([path, { rateLimit }]) => (rateLimit === null ? [] : [[path, rateLimit]]),
);
