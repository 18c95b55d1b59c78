import type { EndpointKind } from "../../endpoints/endpoint.ts";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { TenantIsolationAuth } from "./options.ts";
import { readShapes, type Shape } from "./shape.ts";

export type Endpoint = {
	/** the name in the report: `POST /sign-in/email` */
	label: string;
	/** its key in auth.api */
	name: string;
	/** undefined if only server code can call it */
	path: string | undefined;
	method: string;
	kind: EndpointKind;
	/** the alternatives of its schema, or a guess */
	bodies: Shape[];
	queries: Shape[];
	params: string[];
	/** it has no schema */
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

/** Fields that an endpoint without a schema may read. */
const GUESSES: Shape = {
	kind: "object",
	fields: ["id", "userId", "email", "token", "slug", "name", "tenant", "search"].map((name) => ({
		name,
		required: false,
		shape: { kind: "leaf", leaf: { name, type: "text" } },
	})),
};

/** All endpoints of Better Auth, one entry per method. */
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

/** An endpoint that the test itself calls, to sign its users up. */
export const knownEndpoint = (method: "GET" | "POST", path: string): Endpoint => ({
	label: `${method} ${path}`,
	name: path,
	path,
	method,
	kind: endpointOf(path).kind,
	bodies: [],
	queries: [],
	params: [],
	guessed: false,
});

const isEndpoint = (value: unknown): value is ServedEndpoint =>
	typeof value === "function" && "options" in value && typeof value.options === "object";
