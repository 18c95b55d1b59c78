import { rowError } from "./error-codes.ts";

/** A field of a model. A relation says which model it leads to, and whether its keys contain the tenant column on both sides. */
export type PrismaField = { kind: "scalar" } | { kind: "relation"; model: string; keepsTenant: boolean };

/** The fields of each model, and the names that `where` has for several fields that are unique together. */
export type PrismaModels = ReadonlyMap<string, ReadonlyMap<string, PrismaField>>;

type Line = { name: string; type: string; relation: string | undefined; from: string[]; to: string[] };

/**
 * Reads the models of a Prisma schema. Extensions see the names of models and fields, but not which fields a relation compares.
 * What this does not understand is left out, and then rejected in queries.
 */
export const readPrismaSchema = (text: string, column: string): PrismaModels => {
	const blocks = blocksOf(text);
	const enums = new Set(blocks.flatMap(({ kind, name }) => (kind === "enum" ? [name] : [])));
	const lines = new Map(
		blocks.flatMap(({ kind, name, texts }) => (kind === "enum" ? [] : [[name, linesOf(texts)] as const])),
	);
	if (lines.size === 0) throw rowError("ROW_SCHEMA_UNKNOWN");
	const fieldsOf = (model: string, { fields, unique }: ReturnType<typeof linesOf>) => {
		const known = fields.flatMap((line): [string, PrismaField][] => {
			if (SCALARS.has(line.type) || enums.has(line.type)) return [[line.name, { kind: "scalar" }]];
			const target = lines.get(line.type);
			if (!target) return [];
			const keepsTenant = comparesTenant(column, holderOf(model, line, target.fields));
			return [[line.name, { kind: "relation", model: line.type, keepsTenant }]];
		});
		return new Map([...known, ...unique.map((name): [string, PrismaField] => [name, { kind: "scalar" }])]);
	};
	return new Map([...lines].map(([model, block]) => [model, fieldsOf(model, block)]));
};

const SCALARS = new Set(["String", "Boolean", "Int", "BigInt", "Float", "Decimal", "DateTime", "Json", "Bytes"]);

type Block = { kind: string; name: string; texts: string[] };

/** From `model User {` to the line with its `}`, without comments. */
const blocksOf = (text: string): Block[] => {
	const blocks: Block[] = [];
	let open: Block | null = null;
	for (const line of text.split("\n")) {
		const [code = ""] = line.split("//", 1);
		const [, kind, name] = /^(model|view|enum)\s+(\w+)\s*\{$/.exec(code.trimEnd()) ?? [];
		if (kind && name) {
			open = { kind, name, texts: [] };
			blocks.push(open);
		} else if (code.startsWith("}")) open = null;
		else open?.texts.push(code.trim());
	}
	return blocks;
};

const linesOf = (texts: string[]): { fields: Line[]; unique: string[] } => ({
	fields: texts.flatMap(fieldOf),
	unique: texts.flatMap(uniqueOf),
});

const fieldOf = (text: string): Line[] => {
	const [name = "", typed = ""] = text.split(/\s+/, 2);
	const type = /^\w+/.exec(typed)?.[0];
	if (!type || !/^[a-z]\w*$/i.test(name)) return [];
	const [, given = ""] = text.split("@relation(", 2);
	const relation = given.slice(0, Math.max(0, given.lastIndexOf(")")));
	const namedBy = /(?:^|name:)\s*"([^"]*)"/.exec(relation)?.[1];
	return [{ name, type, relation: namedBy, from: listIn(relation, "fields"), to: listIn(relation, "references") }];
};

const listIn = (relation: string, part: string): string[] => {
	const [, after = ""] = relation.split(`${part}:`, 2);
	const [list = ""] = after.trimStart().split("]", 1);
	return list.startsWith("[")
		? list
				.slice(1)
				.split(",")
				.flatMap((name) => name.trim() || [])
		: [];
};

/** `@@unique([tenantId, id])` is `tenantId_id` in `where`. */
const uniqueOf = (text: string): string[] => {
	const [, list, rest = ""] = /^@@(?:unique|id)\((?:fields:\s*)?\[([^\]]*)\](.*)/.exec(text) ?? [];
	if (!list) return [];
	const fields = list.split(",").map((field) => field.replace(/\(.*/, "").trim());
	return [/name:\s*"(\w+)"/.exec(rest)?.[1] ?? fields.join("_")];
};

/** The side of a relation that has the keys. There is none if both sides are lists, and none is found if two could be meant. */
const holderOf = (model: string, line: Line, others: Line[]): Line | undefined => {
	if (line.from.length > 0) return line;
	const found = others.filter(
		({ type, relation, from }) => type === model && relation === line.relation && from.length > 0,
	);
	return found.length === 1 ? found[0] : undefined;
};

const comparesTenant = (column: string, line: Line | undefined): boolean =>
	line?.from.some((field, at) => field === column && line.to[at] === column) ?? false;
