export type Route = {
	/** the engine's pattern, such as /callback/:id */
	pattern: string;
};

/** Everything that is not an endpoint. One label, so made-up paths create no new series. */
export const OTHER: Route = { pattern: "other" };
export const LIVEZ: Route = { pattern: "/livez" };
export const READYZ: Route = { pattern: "/readyz" };

export type Routes = {
	/** Finds the endpoint for a method and a path below the base path. */
	find(method: string, path: string): Route;
	/** The number of endpoints and methods. */
	size: number;
};

type Endpoint = { path: string; options: { method?: string | string[]; metadata?: { SERVER_ONLY?: boolean } } };

/** Reads the engine's HTTP endpoints from `auth.api`. */
export const createRoutes = (api: object): Routes => {
	const fixed = new Map<string, Route>();
	const variable: { method: string; segments: string[]; route: Route }[] = [];
	for (const endpoint of Object.values(api)) {
		if (!isEndpoint(endpoint) || endpoint.options.metadata?.SERVER_ONLY) continue;
		const route = { pattern: endpoint.path };
		for (const method of [endpoint.options.method ?? []].flat()) {
			if (endpoint.path.includes(":")) variable.push({ method, segments: endpoint.path.split("/"), route });
			else fixed.set(`${method} ${endpoint.path}`, route);
		}
	}
	return {
		find: (method, path) => {
			const found = fixed.get(`${method} ${path}`);
			if (found) return found;
			const segments = path.split("/");
			return variable.find((one) => one.method === method && fits(one.segments, segments))?.route ?? OTHER;
		},
		size: fixed.size + variable.length,
	};
};

const fits = (pattern: string[], path: string[]): boolean =>
	pattern.length === path.length &&
	pattern.every((segment, at) => segment === path[at] || (segment.startsWith(":") && path[at] !== ""));

const isEndpoint = (value: unknown): value is Endpoint =>
	(typeof value === "function" || typeof value === "object") &&
	value !== null &&
	"path" in value &&
	typeof value.path === "string" &&
	"options" in value &&
	typeof value.options === "object" &&
	value.options !== null;
