import type { Endpoint } from "./endpoints.ts";
import type { TenantIsolationOptions } from "./options.ts";
import { type Choose, fill, type Leaf, leavesOf, type Shape } from "./shape.ts";
import type { TenantIsolationInput, TenantIsolationSide } from "./side.ts";
import { type Fresh, namedValues, plausibleValues } from "./values.ts";

type Given = TenantIsolationOptions["inputs"];
/** An input, and how the report describes it. */
export type NamedInput = { input: TenantIsolationInput; about: string };

const TURNS = [0, 1, 2, 3];
/** At most this many combinations of bodies and queries are tried. */
const MAX_WAYS = 4;

/** Inputs that the side itself would send to an endpoint: first with required fields only, then with all fields. */
export const ownInputs = (
	endpoint: Endpoint,
	side: TenantIsolationSide,
	fresh: Fresh,
	given: Given,
): TenantIsolationInput[] => {
	const input = givenFor(endpoint, given)?.(side);
	if (input) return [input];
	const take =
		(turn: number, everything: boolean): Choose =>
		(leaf, required) => {
			if (!required && (!everything || isPresentation(leaf))) return undefined;
			const values = plausibleValues(side, leaf, fresh, endpoint.path);
			return values[turn % values.length];
		};
	return unique(
		[false, true].flatMap((everything) =>
			TURNS.flatMap((turn) => waysOf(endpoint).map((way) => build(endpoint, way, take(turn, everything)))),
		),
	);
};

/** Options that change the form of a response, not whose data it contains. */
const isPresentation = ({ name, type, choices }: Leaf): boolean =>
	type === "boolean" || choices !== undefined || /ur[il]$|redirect|^tenantId$/i.test(name);

/** Inputs with values of the other side in matching fields: in all fields at once, and in one field at a time. */
export const foreignInputs = (
	endpoint: Endpoint,
	own: TenantIsolationSide,
	other: TenantIsolationSide,
	base: TenantIsolationInput,
	given: Given,
	most: number,
): NamedInput[] => {
	const whose = other.label === "platform" ? "the platform's" : `${other.label}'s`;
	const make = givenFor(endpoint, given);
	if (make) {
		const foreign = make(other);
		return [{ input: foreign, about: `${whose} input` }, ...exchanged(make(own), foreign, whose)];
	}
	const valuesFor = (leaf: Leaf): string[] => {
		// for signed-out users, this names the tenant of the request and is no attack
		if (/^tenantId$/.test(leaf.name) && endpoint.kind !== "member" && endpoint.kind !== "management") return [];
		if (leaf.choices || leaf.type === "boolean" || leaf.type === "number" || /role|ur[il]$/i.test(leaf.name)) return [];
		const named = namedValues(other, leaf.name, endpoint.path).slice(0, most);
		return named.length > 0 || !/search|query|filter|value|^q$/i.test(leaf.name) ? named : [other.canary];
	};
	const baseValues = new Map(flatten(base));
	const found: NamedInput[] = [];
	for (const way of waysOf(endpoint)) {
		const leaves = leavesIn(endpoint, way);
		const longest = Math.max(0, ...leaves.map((leaf) => valuesFor(leaf).length));
		for (let turn = 0; turn < longest; turn += 1) {
			const all: Choose = (leaf, required) => {
				const values = valuesFor(leaf);
				return values[Math.min(turn, values.length - 1)] ?? (required ? baseValues.get(leaf.name) : undefined);
			};
			found.push({ input: build(endpoint, way, all), about: `${whose} values everywhere` });
		}
		// guessed fields are only sent all at once
		for (const target of endpoint.guessed ? [] : leaves) {
			for (const value of valuesFor(target)) {
				const one: Choose = (leaf) => (leaf.name === target.name ? value : baseValues.get(leaf.name));
				found.push({ input: build(endpoint, way, one), about: `${whose} ${target.name}` });
			}
		}
	}
	const seen = new Set<string>();
	return found.filter(({ input }) => !seen.has(JSON.stringify(input)) && seen.add(JSON.stringify(input)));
};

const givenFor = ({ path, name }: Endpoint, given: Given) => given?.[path ?? name];

type Way = { body: Shape | undefined; query: Shape | undefined };
const waysOf = ({ bodies, queries }: Endpoint): Way[] =>
	(bodies.length > 0 ? bodies : [undefined])
		.flatMap((body) => (queries.length > 0 ? queries : [undefined]).map((query) => ({ body, query })))
		.slice(0, MAX_WAYS);

const paramLeaf = (name: string): Leaf => ({ name, type: "text" });

const leavesIn = ({ params }: Endpoint, { body, query }: Way): Leaf[] => [
	...(body ? leavesOf(body) : []),
	...(query ? leavesOf(query) : []),
	...params.map(paramLeaf),
];

const build = ({ params, method }: Endpoint, { body, query }: Way, choose: Choose): TenantIsolationInput => ({
	...(method === "GET" ? {} : { body: (body ? fill(body, choose) : {}) as Record<string, unknown> }),
	...(query ? { query: fill(query, choose) as Record<string, unknown> } : {}),
	params: Object.fromEntries(params.map((name) => [name, String(choose(paramLeaf(name), true) ?? name)])),
});

/** The attacker's own input with one field of the other side's input. */
const exchanged = (own: TenantIsolationInput, other: TenantIsolationInput, whose: string): NamedInput[] =>
	(["body", "query", "params"] as const).flatMap((part) =>
		Object.entries(other[part] ?? {}).map(([name, value]) => ({
			input: { ...own, [part]: { ...own[part], [name]: value } },
			about: `${whose} ${name}`,
		})),
	);

const flatten = (value: unknown, name = ""): [string, unknown][] => {
	if (Array.isArray(value)) return value.flatMap((item) => flatten(item, name));
	if (typeof value !== "object" || value === null) return [[name, value]];
	return Object.entries(value).flatMap(([field, inner]) => flatten(inner, field));
};

const unique = (inputs: TenantIsolationInput[]): TenantIsolationInput[] => [
	...new Map(inputs.map((input) => [JSON.stringify(input), input])).values(),
];
