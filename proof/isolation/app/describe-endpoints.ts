import * as z from "zod";

/** One endpoint of the running engine, in plain values. */
export type EndpointDescription = {
	/** below the base path, e.g. `/tenant/callback/:id` */
	path: string;
	methods: string[];
	/** the field names of its input schema */
	body: string[];
	query: string[];
	/** also accepts HTML forms */
	form: boolean;
};

type Described = {
	path?: string | undefined;
	options?: { method?: unknown; body?: unknown; query?: unknown; metadata?: { [key: string]: unknown } | undefined };
};

/** Lists the engine's HTTP endpoints and the fields each one reads. */
export const describeEndpoints = (api: Record<string, unknown>): EndpointDescription[] =>
	Object.values(api).flatMap((endpoint) => {
		const { path, options } = endpoint as Described;
		if (!path || !options || options.metadata?.SERVER_ONLY) return [];
		const media = options.metadata?.allowedMediaTypes;
		return [
			{
				path,
				methods: [options.method ?? "GET"].flat().map(String),
				body: fieldsOf(options.body),
				query: fieldsOf(options.query),
				form: Array.isArray(media) && media.includes("application/x-www-form-urlencoded"),
			},
		];
	});

/** Names on every level: nested ones are also worth sending at the top. */
const fieldsOf = (schema: unknown): string[] => {
	if (!(schema instanceof z.ZodType)) return [];
	const names = new Set<string>();
	const collect = (node: unknown): void => {
		if (typeof node !== "object" || node === null) return;
		for (const [key, value] of Object.entries(node)) {
			if (key === "properties" && typeof value === "object" && value !== null) {
				for (const name of Object.keys(value)) names.add(name);
			}
			collect(value);
		}
	};
	collect(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }));
	return [...names];
};
