import type * as z from "zod";
import { callClient } from "../../packages/tenants/scripts/client-calls.ts";
import { endpointOf } from "../../packages/tenants/src/endpoints/endpoints.ts";
import { sampleInput } from "./endpoint-samples.ts";
import { type EndpointSource, endpointSources } from "./plugin-endpoints.ts";
import { type DocumentedPlugin, documentedPlugins } from "./plugins.ts";
import { type Field, fieldsOf, inputSchema, type Schema } from "./schema-rows.ts";

type Parameter = { name: string; in: string; required?: boolean; schema: Schema; description?: string };
type Response = { description: string; content?: { "application/json"?: { schema: Schema } } };
type OpenAPI = {
	description: string;
	parameters?: Parameter[];
	requestBody?: { content: { "application/json": { schema: Schema } } };
	responses: Record<string, Response>;
};

/** The parts of an endpoint of the live plugin that the reference shows. */
type LiveEndpoint = {
	path?: string;
	options: {
		method: string | string[];
		body?: z.ZodType;
		query?: z.ZodType;
		requireHeaders?: boolean;
		metadata?: { openapi?: OpenAPI };
	};
};

export type Endpoint = {
	/** the name in `auth.api` */
	name: string;
	/** the plugin that adds it */
	plugin: DocumentedPlugin;
	/** null if only server code can call it */
	path: string | null;
	methods: string[];
	input: Field[];
	/** where the input is sent */
	place: "body" | "query" | "none";
	example: Record<string, unknown>;
	openapi: OpenAPI;
	source: EndpointSource;
	/** the name in the client, such as `tenant.create`, or null if the client does not call it */
	client: string | null;
	/** Better Auth's endpoint that it calls */
	delegatesTo: string | null;
	rateLimit: { window: number; max: number } | null;
	/** how the endpoint finds its tenant */
	kind: string | null;
	/** whether server code must pass the headers of a request */
	needsHeaders: boolean;
};

/** All endpoints of the package. Throws if one is not documented, or if the client calls something else. */
export const allEndpoints = async (): Promise<Endpoint[]> => {
	const read = documentedPlugins().flatMap((plugin) => {
		const sources = endpointSources(plugin.file);
		const live = plugin.plugin.endpoints as unknown as Record<string, LiveEndpoint>;
		return Object.entries(live).map(([name, endpoint]) => readEndpoint(plugin, name, endpoint, sources.get(name)));
	});
	return Promise.all(read);
};

const readEndpoint = async (
	plugin: DocumentedPlugin,
	name: string,
	{ path, options }: LiveEndpoint,
	source: EndpointSource | undefined,
): Promise<Endpoint> => {
	const openapi = options.metadata?.openapi;
	if (!openapi?.description || !source?.sentence)
		throw new Error(`auth.api.${name} has no description. Add metadata.openapi and JSDoc to its definition.`);
	const methods = [options.method].flat();
	const input = inputOf(options, openapi);
	for (const field of input)
		if (!field.description) throw new Error(`auth.api.${name}: ${field.name} has no description. Add it.`);
	const place = options.body && !methods.includes("GET") ? "body" : options.query ? "query" : "none";
	const example = sampleInput(path ?? "", input);
	const row = path ? endpointOf(path) : undefined;
	const client = path && !path.includes(":") ? clientName(path) : null;
	if (client && path)
		await assertCalls(client, place === "query" ? { query: example } : example, [methods[0] ?? "", path]);
	return {
		name,
		plugin,
		path: path ?? null,
		methods,
		input,
		place,
		example,
		openapi,
		source,
		client,
		delegatesTo: row?.delegatesTo ?? null,
		rateLimit: row?.rateLimit ?? null,
		kind: row?.kind ?? null,
		needsHeaders: options.requireHeaders === true || row?.kind === "member",
	};
};

/** The input as OpenAPI describes it, or else as it is checked. */
const inputOf = ({ body, query }: LiveEndpoint["options"], { parameters, requestBody }: OpenAPI): Field[] => {
	if (parameters)
		return parameters.map(({ name, required = false, schema, description = "" }) => {
			const [field] = fieldsOf({ properties: { [name]: schema } });
			return { name, type: field?.type ?? "", isRequired: required, description };
		});
	const checked = body ?? query;
	return fieldsOf(requestBody?.content["application/json"].schema ?? (checked ? inputSchema(checked) : {}));
};

/** `/tenant/oauth-config/register` is `tenant.oauthConfig.register`. */
const clientName = (path: string): string =>
	path
		.slice(1)
		.split("/")
		.map((part) => part.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
		.join(".");

const assertCalls = async (client: string, input: object, [method, path]: [string, string]): Promise<void> => {
	const sent = await callClient(client, input);
	if (sent?.method !== method || sent.path !== path)
		throw new Error(`authClient.${client}() sends ${sent?.method} ${sent?.path} instead of ${method} ${path}.`);
};
