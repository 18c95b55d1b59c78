type Endpoint = {
	path: string;
	options: { method?: string | string[]; disableBody?: boolean; metadata?: { SERVER_ONLY?: boolean } };
};

export type FixedEndpoint = { path: string; readsBody: boolean };

/** The endpoints without path parameters, by method and path. They can be found without the engine's router. */
export const readFixedEndpoints = (api: object): Map<string, FixedEndpoint> => {
	const fixed = new Map<string, FixedEndpoint>();
	for (const endpoint of Object.values(api)) {
		if (!isEndpoint(endpoint) || endpoint.path.includes(":") || endpoint.options.metadata?.SERVER_ONLY) continue;
		const found = { path: endpoint.path, readsBody: !endpoint.options.disableBody };
		for (const method of [endpoint.options.method ?? []].flat()) fixed.set(`${method} ${endpoint.path}`, found);
	}
	return fixed;
};

const isEndpoint = (value: unknown): value is Endpoint =>
	typeof value === "function" &&
	"path" in value &&
	typeof value.path === "string" &&
	"options" in value &&
	typeof value.options === "object" &&
	value.options !== null;
