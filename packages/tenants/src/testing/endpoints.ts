import type { EndpointKind } from "../engine/endpoint.ts";
import { endpointOf } from "../engine/endpoints.ts";
import type { TenantIsolationAuth } from "./options.ts";
import { readShapes, type Shape } from "./shape.ts";

export type Endpoint = {
	/** how the report calls it: `POST /sign-in/email` */
	label: string;
	/** its key in auth.api */
	name: string;
	/** undefined where server code alone reaches it */
	path: string | undefined;
	method: string;
	kind: EndpointKind;
	/** its own alternatives, or guesses */
	bodies: Shape[];
	queries: Shape[];
	params: string[];
	/** nothing says what it takes */
	guessed: boolean;
};

type ServedEndpoint = {
	path?: string;
	options: {
		method?: string | string[];
		body?: unknown;
		query?: unknown;
		metadata?: {
			SERVER_ONLY?: boolean;
			openapi?: { requestBody?: { content?: Record<string, { schema?: unknown }> } };
		};
	};
};

/** Whatever an endpoint without a schema may look at. */
const GUESSES: Shape = {
	kind: "object",
	fields: ["id", "userId", "email", "token", "slug", "name", "tenant", "search"].map((name) => ({
		name,
		required: false,
		shape: { kind: "leaf", leaf: { name, type: "text" } },
	})),
};

/** Every endpoint of the running engine, each method by itself. */
export const listEndpoints = (api: TenantIsolationAuth["api"]): Endpoint[] =>
	Object.entries(api).flatMap(([name, served]: [string, unknown]) => {
		if (!isEndpoint(served)) return [];
		const { metadata, body, query, method = "*" } = served.options;
		const path = metadata?.SERVER_ONLY ? undefined : served.path;
		return [method].flat().map((one): Endpoint => {
			const verb = one === "*" ? "POST" : one;
			const hasBody = verb !== "GET" && verb !== "HEAD";
			const described = metadata?.openapi?.requestBody?.content?.["application/json"]?.schema;
			const bodies = hasBody ? readShapes(body, described) : [];
			const queries = readShapes(query);
			const guessed = !body && !query && bodies.length === 0;
			return {
				label: path === undefined ? `auth.api.${name}` : `${verb} ${path}`,
				name,
				path,
				method: verb,
				kind: endpointOf(path).kind,
				bodies: guessed && hasBody ? [GUESSES] : bodies,
				queries: guessed && !hasBody ? [GUESSES] : queries,
				params: [...(path ?? "").matchAll(/:(\w+)/g)].flatMap(([, param]) => param ?? []),
				guessed,
			};
		});
	});

const isEndpoint = (value: unknown): value is ServedEndpoint =>
	typeof value === "function" && "options" in value && typeof value.options === "object";
