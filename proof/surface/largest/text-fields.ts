import { readShapes, type Shape } from "better-auth-tenants/src/features/testing/shape.ts";

/** Where a text is in a body: names of members, and 0 for the first item of a list. */
export type Place = (string | number)[];

type Described = {
	options: {
		body?: unknown;
		metadata?: { openapi?: { requestBody?: { content?: Record<string, { schema?: unknown }> } } };
	};
};

/** Every text that the body of an endpoint may have, by its schema, and those of the request that it is sent with. */
export const textFieldsOf = (endpoint: Described, sent: unknown): Place[] => {
	const described = endpoint.options.metadata?.openapi?.requestBody?.content?.["application/json"]?.schema;
	const places = [...readShapes(endpoint.options.body, described).flatMap((shape) => inShape(shape)), ...inValue(sent)];
	return [...new Map(places.map((place) => [place.join("."), place])).values()];
};

const inShape = (shape: Shape, place: Place = []): Place[] => {
	if (shape.kind === "leaf") {
		const { type, choices } = shape.leaf;
		return choices || type === "number" || type === "boolean" ? [] : [place];
	}
	if (shape.kind === "list") return inShape(shape.of, [...place, 0]);
	// an object whose members are not described takes any
	if (shape.fields.length === 0) return [[...place, "anything"]];
	return shape.fields.flatMap(({ name, shape: inner }) => inShape(inner, [...place, name]));
};

const inValue = (value: unknown, place: Place = []): Place[] => {
	if (typeof value === "string") return [place];
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) =>
		inValue(inner, [...place, Array.isArray(value) ? Number(name) : name]),
	);
};

/** A copy of the body with a text at this place. */
export const withText = (body: unknown, place: Place, text: string): unknown => {
	const [name, ...rest] = place;
	if (name === undefined) return text;
	if (typeof name === "number") {
		const list = Array.isArray(body) ? [...body] : [];
		list[name] = withText(list[name], rest, text);
		return list;
	}
	const object = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
	return { ...object, [name]: withText(Reflect.get(object, name), rest, text) };
};
