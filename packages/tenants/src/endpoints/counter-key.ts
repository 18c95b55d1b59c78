import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { networkOfAddress } from "../engine/client-network.ts";
import { delegateOf } from "./delegates.ts";
import { CORE_ENDPOINTS } from "./rows/core.ts";

/** What the engine puts between the address and the path in the key of a counter. */
const SEPARATOR = "|";
/** One counter for all paths without an endpoint: anyone can invent paths, and each would have a counter of its own. */
const UNKNOWN_PATH = "?";

/**
 * Makes one counter of the engine's rate limit out of those that count the same: of our path and the engine's path behind it,
 * of a path with different parameters, and of all addresses of a network. The engine calls a counter `address|path`.
 */
export const createCounterKey = (options: BetterAuthOptions): ((key: string) => string) => {
	let plugins: readonly BetterAuthPlugin[] | undefined;
	let routeOf = createRoutes([]);
	return (key) => {
		if (plugins !== options.plugins) {
			plugins = options.plugins;
			routeOf = createRoutes(plugins ?? []);
		}
		const at = key.indexOf(SEPARATOR);
		const [address, path] = [key.slice(0, at), key.slice(at + 1)];
		return `${networkOfAddress(address, options)}${SEPARATOR}${routeOf(path)}`;
	};
};

/** The address, or its network, of a counter. */
export const addressOf = (key: string): string => key.slice(0, key.indexOf(SEPARATOR));

/** Returns the path of the endpoint that serves a path, as the router writes it. */
const createRoutes = (plugins: readonly BetterAuthPlugin[]): ((path: string) => string) => {
	const paths = [
		...Object.keys(CORE_ENDPOINTS),
		...plugins.flatMap(({ endpoints }) => Object.values(endpoints ?? {}).map(({ path }) => path)),
	].filter((path) => typeof path === "string");
	const fixed = new Set(paths.filter((path) => !isPattern(path)));
	const patterns = [...new Set(paths.filter(isPattern))].map((path) => ({ path, parts: path.split("/") }));
	return (path) => {
		if (fixed.has(path)) return delegateOf(path);
		const sent = path.split("/");
		const found = patterns.find(({ parts }) => matches(parts, sent));
		return found ? delegateOf(found.path) : UNKNOWN_PATH;
	};
};

const isPattern = (path: string): boolean => path.includes(":") || path.includes("*");

const matches = (parts: string[], sent: string[]): boolean => {
	const rest = parts.findIndex((part) => part.startsWith("**"));
	if (rest < 0 && parts.length !== sent.length) return false;
	return (rest < 0 ? parts : parts.slice(0, rest)).every(
		(part, index) => part.startsWith(":") || part === "*" || part === sent[index],
	);
};
