import { rowError } from "./error-codes.ts";
import type { ListedTables } from "./listed-tables.ts";
import type { PrismaField, PrismaModels } from "./prisma-schema.ts";

export type Values = Record<string, unknown>;

export const isValues = (value: unknown): value is Values =>
	typeof value === "object" && value !== null && !Array.isArray(value);

export type Known = { tables: ListedTables; models: PrismaModels };

/** Arguments that contain no names of fields, or only those of columns of the model. */
const PLAIN = new Set(["take", "skip", "limit", "skipDuplicates", "relationLoadStrategy"]);
const COLUMNS = new Set(["distinct", "by", "omit", "having", "_sum", "_avg", "_min", "_max"]);

/**
 * Throws unless every argument of an operation is known, every field exists, and every relation that is followed stays in the
 * tenant. Also used for the arguments of a relation in `include` and `select`.
 */
export const assertArgs = (known: Known, model: string, args: Values): void => {
	for (const [name, value] of entriesOf(args)) {
		if (PLAIN.has(name) || COLUMNS.has(name)) continue;
		const check = CHECKS.get(name);
		if (!check) throw rowError("ROW_QUERY_NOT_SUPPORTED", `${model}.${name}`);
		check(known, model, value);
	}
};

type Check = (known: Known, model: string, value: unknown) => void;

const assertWhere: Check = (known, model, where) => {
	for (const one of [where].flat())
		for (const [name, value] of entriesOf(one)) {
			if (name === "AND" || name === "OR" || name === "NOT") assertWhere(known, model, value);
			else {
				const field = fieldOf(known, model, name);
				if (field.kind === "relation") assertRelationFilter(known, follow(known, model, name, field), value);
			}
		}
};

const RELATION_FILTERS = new Set(["is", "isNot", "some", "every", "none"]);

/** `{ customer: { is: { … } } }`, or `{ customer: { … } }` */
const assertRelationFilter: Check = (known, model, value) => {
	const entries = entriesOf(value);
	const isShort = !entries.some(([name]) => RELATION_FILTERS.has(name));
	if (isShort) return assertWhere(known, model, value);
	for (const [name, where] of entries) {
		if (!RELATION_FILTERS.has(name)) throw rowError("ROW_QUERY_NOT_SUPPORTED", `${model}.${name}`);
		assertWhere(known, model, where);
	}
};

const assertOrderBy: Check = (known, model, orderBy) => {
	for (const one of [orderBy].flat())
		for (const [name, value] of entriesOf(one)) {
			// `_count` and other aggregates have columns of the model, as `_relevance` has
			if (name.startsWith("_")) continue;
			const field = fieldOf(known, model, name);
			if (field.kind === "relation") assertOrderBy(known, follow(known, model, name, field), value);
		}
};

/** `include` and `select`, with the arguments of each relation. */
const assertSelection: Check = (known, model, selection) => {
	for (const [name, value] of entriesOf(selection)) {
		if (value === false || name === "_all") continue;
		if (name === "_count") {
			assertCount(known, model, value);
			continue;
		}
		const field = fieldOf(known, model, name);
		if (field.kind === "scalar") continue;
		const target = follow(known, model, name, field);
		if (!isValues(value)) continue;
		// its row is found without regard to the tenant
		if (value.cursor !== undefined) throw rowError("ROW_QUERY_NOT_SUPPORTED", `cursor in ${model}.${name}`);
		assertArgs(known, target, value);
	}
};

/** `_count: true` counts every relation. In `aggregate`, it counts rows and columns of the model. */
const assertCount: Check = (known, model, count) => {
	if (!isValues(count)) {
		for (const [name, field] of known.models.get(model) ?? [])
			if (count && field.kind === "relation") follow(known, model, name, field);
		return;
	}
	assertSelection(known, model, isValues(count.select) ? count.select : count);
};

/** A nested write is not seen as an operation of its own. */
const assertData: Check = (known, model, data) => {
	for (const row of [data].flat())
		for (const [name] of entriesOf(row))
			if (fieldOf(known, model, name).kind === "relation")
				throw rowError("ROW_QUERY_NOT_SUPPORTED", `nested write in ${model}.${name} (write its key instead)`);
};

const assertAggregateCount: Check = (known, model, count) => {
	if (isValues(count)) assertSelection(known, model, count);
};

const CHECKS = new Map<string, Check>([
	["where", assertWhere],
	["cursor", assertWhere],
	["orderBy", assertOrderBy],
	["include", assertSelection],
	["select", assertSelection],
	["_count", assertAggregateCount],
	["data", assertData],
	["create", assertData],
	["update", assertData],
]);

/** Prisma leaves undefined values out. */
const entriesOf = (value: unknown): [string, unknown][] =>
	isValues(value) ? Object.entries(value).filter(([, one]) => one !== undefined) : [];

const fieldOf = ({ models }: Known, model: string, name: string): PrismaField => {
	const field = models.get(model)?.get(name);
	if (!field) throw rowError("ROW_QUERY_NOT_SUPPORTED", `${model}.${name}`);
	return field;
};

/** Returns the model that a relation leads to. One of all tenants' rows leads to them only if its keys contain the tenant. */
const follow = (
	{ tables }: Known,
	model: string,
	name: string,
	field: Extract<PrismaField, { kind: "relation" }>,
): string => {
	if (tables.isOwn(field.model) && !(tables.isOwn(model) && field.keepsTenant))
		throw rowError("ROW_QUERY_NOT_SUPPORTED", `${model}.${name} (query ${field.model} instead)`);
	return field.model;
};
