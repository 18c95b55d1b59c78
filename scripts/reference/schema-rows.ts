import * as z from "zod";
import { code } from "./markdown.ts";

/** The part of JSON Schema and OpenAPI that the endpoints use. */
export type Schema = {
	type?: string | string[];
	description?: string;
	format?: string;
	nullable?: boolean;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	anyOf?: Schema[];
	$ref?: string;
};

export type Field = { name: string; type: string; isRequired: boolean; description: string };

/** The JSON Schema of what a caller sends. */
export const inputSchema = (schema: z.ZodType): Schema =>
	z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;

/** The fields of an object, at every level: `accounts[].providerId`. */
export const fieldsOf = ({ properties = {}, required = [], items }: Schema, prefix = ""): Field[] => {
	if (items) return fieldsOf(items, `${prefix}[].`.replace("..", "."));
	return Object.entries(properties).flatMap(([name, schema]) => [
		{
			name: `${prefix}${name}`,
			type: typeOf(schema),
			isRequired: required.includes(name),
			description: descriptionOf(schema),
		},
		...(schema.items ? fieldsOf(schema.items, `${prefix}${name}[].`) : fieldsOf(schema, `${prefix}${name}.`)),
	]);
};

const typeOf = (schema: Schema): string => {
	const parts = schema.anyOf?.map(typeOf) ?? [plainType(schema)];
	return [...new Set([...parts, ...(schema.nullable ? ["null"] : [])])].filter(Boolean).join(" | ");
};

const plainType = ({ type, format, items, $ref }: Schema): string => {
	if ($ref) return $ref.split("/").at(-1) ?? "";
	if (type === "array") return `${items ? typeOf(items) || "object" : "unknown"}[]`;
	if (format === "date-time") return "date";
	return Array.isArray(type) ? type.join(" | ") : (type ?? "");
};

export const fieldRow = ({ name, type, isRequired, description }: Field): string[] => [
	code(name),
	code(type || "any"),
	isRequired ? "yes" : "no",
	description,
];

/** Of a field that can be null, the other type has the description. */
const descriptionOf = ({ description, anyOf = [] }: Schema): string =>
	description ?? anyOf.map(descriptionOf).find((text) => text !== "") ?? "";
