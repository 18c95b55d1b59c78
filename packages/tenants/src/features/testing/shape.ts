import * as z from "zod";

/** One value to generate, with its constraints. */
export type Leaf = {
	name: string;
	type: "text" | "number" | "boolean" | "anything";
	format?: string | undefined;
	choices?: unknown[] | undefined;
	maxLength?: number | undefined;
	minLength?: number | undefined;
	minimum?: number | undefined;
};

/** The input of an endpoint, as a tree of values to generate. */
export type Shape =
	| { kind: "leaf"; leaf: Leaf }
	| { kind: "object"; fields: { name: string; required: boolean; shape: Shape }[] }
	| { kind: "list"; of: Shape };

type JsonSchema = {
	type?: string | string[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	items?: JsonSchema;
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	allOf?: JsonSchema[];
	enum?: unknown[];
	const?: unknown;
	format?: string;
	maxLength?: number;
	minLength?: number;
	minimum?: number;
};

/** Reads the shapes of a schema, one for each alternative. Empty if the schema does not describe its fields. */
export const readShapes = (schema: unknown, described?: unknown): Shape[] => {
	const found = alternatives(toJsonSchema(schema)).flatMap((one) => {
		const shape = shapeOf("", one);
		return shape.kind === "object" && shape.fields.length > 0 ? [shape] : [];
	});
	if (found.length > 0 || !isJsonSchema(described)) return found;
	// bodies such as z.record() describe their fields only in OpenAPI
	const shape = shapeOf("", described);
	return shape.kind === "object" && shape.fields.length > 0 ? [shape] : [];
};

const isJsonSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

const toJsonSchema = (schema: unknown): JsonSchema => {
	if (!isZod(schema)) return {};
	try {
		return z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as JsonSchema;
	} catch {
		// recursive or from another library: the application can set `inputs`
		return {};
	}
};

const isZod = (schema: unknown): schema is z.core.$ZodType =>
	typeof schema === "object" && schema !== null && "_zod" in schema;

const alternatives = (schema: JsonSchema): JsonSchema[] => {
	const either = schema.anyOf ?? schema.oneOf;
	return either && !schema.properties ? either.flatMap(alternatives) : [schema];
};

const shapeOf = (name: string, schema: JsonSchema): Shape => {
	const merged = mergeAll(schema);
	// prefers text, because it can contain an attacker's value
	const [first = merged] = alternatives(merged).sort((one, other) => rank(one) - rank(other));
	const [type] = [first.type].flat();
	if (first.properties) {
		const required = new Set(first.required);
		return {
			kind: "object",
			fields: Object.entries(first.properties).map(([field, inner]) => ({
				name: field,
				required: required.has(field),
				shape: shapeOf(field, inner),
			})),
		};
	}
	if (type === "array") return { kind: "list", of: shapeOf(name, first.items ?? {}) };
	// `data: z.record(…)` usually contains columns of a table, and most tables have a `name`
	if (type === "object") return { kind: "object", fields: /data$/i.test(name) ? [NAME] : [] };
	const choices = first.enum ?? ("const" in first ? [first.const] : undefined);
	return {
		kind: "leaf",
		leaf: {
			name,
			type:
				type === "string"
					? "text"
					: type === "number" || type === "integer"
						? "number"
						: type === "boolean"
							? "boolean"
							: "anything",
			format: first.format,
			choices,
			maxLength: first.maxLength,
			minLength: first.minLength,
			minimum: first.minimum,
		},
	};
};

const NAME = { name: "name", required: true, shape: { kind: "leaf", leaf: { name: "name", type: "text" } } } as const;

const rank = ({ type, enum: choices }: JsonSchema): number => {
	const [first] = [type].flat();
	if (first === "string") return choices ? 1 : 0;
	return first === "null" ? 3 : 2;
};

const mergeAll = (schema: JsonSchema): JsonSchema => {
	if (!schema.allOf) return schema;
	const parts = schema.allOf.map(mergeAll);
	return {
		...Object.assign({}, ...parts),
		properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
		required: parts.flatMap(({ required = [] }) => required),
	};
};

/** Generates one value. Undefined leaves out an optional value. */
export type Choose = (leaf: Leaf, required: boolean) => unknown;

/** Fills a shape with values. An optional object or list without values is left out. */
export const fill = (shape: Shape, choose: Choose, required = true): unknown => {
	if (shape.kind === "leaf") return choose(shape.leaf, required);
	if (shape.kind === "list") {
		const item = fill(shape.of, choose, required);
		return item === undefined ? undefined : [item];
	}
	const filled: Record<string, unknown> = {};
	for (const field of shape.fields) {
		const value = fill(field.shape, choose, required && field.required);
		if (value !== undefined) filled[field.name] = value;
	}
	if (!required && Object.keys(filled).length === 0) return undefined;
	// an optional object that has a value also needs its required fields
	if (!required) {
		for (const field of shape.fields) {
			if (field.required && !(field.name in filled)) filled[field.name] = fill(field.shape, choose, true);
		}
	}
	return filled;
};

/** All values of a shape, at any depth. */
export const leavesOf = (shape: Shape): Leaf[] =>
	shape.kind === "leaf"
		? [shape.leaf]
		: shape.kind === "list"
			? leavesOf(shape.of)
			: shape.fields.flatMap((field) => leavesOf(field.shape));
