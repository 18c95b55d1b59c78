import { type Expression, type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { jsonArrayFrom as jsonArrayOfPostgres } from "kysely/helpers/postgres";
import { jsonArrayFrom as jsonArrayOfSqlite } from "kysely/helpers/sqlite";
import type { Roll } from "../model/roll.ts";
import { type Cell, COLUMNS, OTHERS, type Shop, type TableName, TENANT } from "./shop.ts";

type Source = { alias: string; table: TableName };
type Builder = ExpressionBuilder<Shop, TableName>;
type Context = { db: Kysely<Shop>; roll: Roll; isPostgres: boolean; next: () => string };

/** Raw SQL that tries to leave its place. */
const HOSTILE = [
	"1 = 1) or (1 = 1",
	"1 = 1 or 1 = 1",
	"true or true",
	`exists (select 1 from "invoice" where "tenantId" = 'a')`,
	`(select max("amount") from "invoice") > 300`,
	`(select count(*) from "customer") > 3`,
	`"amount" > 0 -- `,
	`true /* */`,
	`1 = 1 union select * from "invoice"`,
	`'c1' in (select "id" from "customer")`,
	`("tenantId", "id") in (values ('a', 'i1'))`,
	`query_to_xml('select * from invoice', true, false, '') is not null`,
];
const ENDS = ["or 1 = 1", "or true", `union select * from "invoice"`, "limit 100", `returning "tenantId"`];

const VALUES: Record<string, readonly [Cell, ...Cell[]]> = {
	tenantId: [TENANT, ...OTHERS, "missing"],
	id: ["i1", "i2", "i5", "c1", "c3", "new"],
	customerId: ["c1", "c2", "c4", null],
	countryCode: ["DE", "FR", null],
	code: ["DE", "JP", "XX"],
	label: ["label of DE", "x"],
	name: ["a customer 1", "b customer 1", "c customer 2"],
	rank: [101, 202, 303, 0],
	amount: [107, 207, 214, 307, 0],
};

const cellOf = (roll: Roll, column: string): Cell => roll.oneOf(VALUES[column] ?? [null]);
const columnOf = (roll: Roll, table: TableName): string => roll.pick(COLUMNS[table]) ?? "";
const JOINS: [Join, ...Join[]] = ["innerJoin", "leftJoin", "leftJoin", "crossJoin"];
const isNumber = (column: string): boolean => column === "amount" || column === "rank";
const tableOf = ({ roll }: Context): TableName => roll.oneOf(["invoice", "invoice", "customer", "country"]);
/** The builder's types know the names of tables, and aliases are made at random. */
const refOf = (eb: Builder, { alias }: Source, column: string) => eb.ref(`${alias}.${column}` as never);

const conditionOf = (context: Context, eb: Builder, sources: Source[], depth: number): Expression<SqlBool> => {
	const { roll } = context;
	const source = roll.pick(sources) as Source;
	const column = columnOf(roll, source.table);
	const ref = refOf(eb, source, column);
	const again = () => conditionOf(context, eb, sources, depth + 1);
	const value = cellOf(roll, column);
	const inner = (): Source => ({ alias: context.next(), table: tableOf(context) });
	const from = ({ alias, table }: Source) => eb.selectFrom(`${table} as ${alias}` as never) as never as Selecting;
	switch (depth > 2 ? roll.below(6) : roll.below(15)) {
		case 0:
			return eb(ref, "=", value as never);
		case 1:
			return eb(ref, roll.oneOf(["<>", "<", ">="]), value as never);
		case 2:
			return eb(ref, "is", null);
		case 3:
			return eb(
				ref,
				roll.oneOf(["in", "not in"]),
				[value, cellOf(roll, column)].filter((one) => one !== null) as never,
			);
		case 4:
			return sql<SqlBool>`${sql.ref(`${source.alias}.${column}`)} ${sql.raw(roll.oneOf(["=", ">", "<>"]))} ${value}`;
		case 5:
			return isNumber(column) ? eb.between(ref, 100 as never, 250 as never) : eb(ref, "like", "%c%" as never);
		case 6:
			return eb.and([again(), again()]);
		case 7:
		case 8:
			return eb.or([again(), again()]);
		case 9:
			return eb.not(eb.parens(again()));
		case 10: {
			const other = inner();
			const theirs = columnOf(roll, other.table);
			const same = isNumber(column) === isNumber(theirs) ? theirs : isNumber(column) ? "amount" : "id";
			const known = COLUMNS[other.table].includes(same) ? same : (COLUMNS[other.table][0] ?? "");
			if (isNumber(column) !== isNumber(known)) return eb(ref, "is not", null);
			return eb(ref, "in", from(other).select(`${other.alias}.${known}`) as never);
		}
		case 11: {
			const other = inner();
			const subquery = from(other)
				.select(`${other.alias}.${columnOf(roll, other.table)}`)
				.where((inside) => conditionOf(context, inside, [...sources, other], depth + 1));
			return roll.chance(50) ? eb.exists(subquery as never) : eb.not(eb.exists(subquery as never));
		}
		case 12:
			return sql<SqlBool>`coalesce(${sql.ref(`${source.alias}.${column}`)}, ${value}) = ${value} or ${again()}`;
		case 13:
			return eb(eb.case().when(again()).then(1).else(0).end(), "=", 1);
		default:
			return roll.chance(20) ? sql<SqlBool>([roll.pick(HOSTILE) ?? ""] as never) : again();
	}
};

/** What the generator uses of a select query, whose types depend on names that are made at random. */
type Selecting = {
	select: (selection: unknown) => Selecting;
	selectAll: () => Selecting;
	where: (condition: (eb: Builder) => Expression<SqlBool>) => Selecting;
	distinct: () => Selecting;
	orderBy: (column: string, direction?: "asc" | "desc") => Selecting;
	groupBy: (columns: string[]) => Selecting;
	having: (condition: (eb: Builder) => Expression<SqlBool>) => Selecting;
	limit: (count: number) => Selecting;
	offset: (count: number) => Selecting;
	modifyEnd: (end: RawBuilder<unknown>) => Selecting;
	as: (alias: string) => unknown;
	compile: () => { sql: string };
	execute: () => Promise<unknown>;
} & Record<SetOperation, (other: Selecting) => Selecting> &
	Record<Join, (table: unknown, on?: (join: OnBuilder) => unknown) => Selecting>;
type SetOperation = "union" | "unionAll" | "intersect" | "except";
type Join = "innerJoin" | "leftJoin" | "crossJoin" | "rightJoin" | "fullJoin";
type OnBuilder = {
	on: (condition: (eb: Builder) => Expression<SqlBool>) => OnBuilder;
	onTrue: () => OnBuilder;
};

const selectOf = (context: Context, depth = 0): Selecting => {
	const { roll, db, next } = context;
	const first: Source = { alias: next(), table: tableOf(context) };
	let start = db as never as { selectFrom: (table: unknown) => Selecting };
	let named: Source | undefined;
	if (depth === 0 && roll.chance(15)) {
		named = { alias: next(), table: roll.oneOf(["invoice", "customer"]) };
		const name = roll.chance(30) ? roll.oneOf(["invoice", "customer", "country"]) : next();
		const { table, alias } = named;
		const body = (q: unknown) => (q as typeof start).selectFrom(`${table} as ${alias}`).selectAll();
		start = db.with(name as never, body as never) as never;
		named = { alias: name, table };
	}
	const isSubquery = depth < 2 && roll.chance(15);
	const from = isSubquery
		? (db as never as typeof start).selectFrom(`${first.table}`).selectAll().as(first.alias)
		: named && roll.chance(70)
			? `${named.alias} as ${first.alias}`
			: `${first.table} as ${first.alias}`;
	const source =
		typeof from === "string" && named && from.startsWith(named.alias) ? { ...named, alias: first.alias } : first;
	const sources = [source];
	let query = start.selectFrom(from);
	for (let joins = roll.below(3); joins > 0; joins -= 1) {
		const joined: Source = { alias: next(), table: tableOf(context) };
		const kind = roll.chance(4) ? roll.oneOf<Join>(["rightJoin", "fullJoin"]) : roll.oneOf<Join>(JOINS);
		const table = `${joined.table} as ${joined.alias}`;
		const known = [...sources, joined];
		query =
			kind === "crossJoin"
				? query.crossJoin(table)
				: query[kind](table, (join) =>
						roll.chance(15) ? join.onTrue() : join.on((eb) => conditionOf(context, eb, known, 1)),
					);
		sources.push(joined);
	}
	if (roll.chance(75)) query = query.where((eb) => conditionOf(context, eb, sources, 0));
	return selectionOf(context, query, sources, depth);
};

const selectionOf = (context: Context, given: Selecting, sources: Source[], depth: number): Selecting => {
	const { roll, isPostgres, db } = context;
	const columns = sources.map(({ alias, table }) => `${alias}.${columnOf(roll, table)}`);
	const named = columns.map((column, at) => `${column} as x${at}`);
	if (roll.chance(25)) {
		const [source] = sources as [Source];
		const number = source.table === "invoice" ? "amount" : source.table === "customer" ? "rank" : undefined;
		let query = given.select((eb: Builder) => [
			eb.fn.countAll().as("count"),
			...(number
				? [eb.fn.sum(refOf(eb, source, number)).as("sum"), eb.fn.max(refOf(eb, source, number)).as("max")]
				: []),
		]);
		if (roll.chance(50)) query = query.groupBy([columns[0] ?? ""]);
		if (roll.chance(30)) query = query.having((eb) => eb(eb.fn.countAll<number>(), ">", 1));
		return query;
	}
	let query = given.select(named);
	if (roll.chance(15))
		query = query.select(() => {
			const alias = context.next();
			const table = tableOf(context);
			const inside = (db as never as { selectFrom: (name: string) => Selecting }).selectFrom(`${table} as ${alias}`);
			const chosen = inside
				.select(`${alias}.${columnOf(roll, table)}`)
				.where((within) => conditionOf(context, within, [...sources, { alias, table }], 1))
				.orderBy(`${alias}.${COLUMNS[table].includes("id") ? "id" : "code"}`);
			const json = (isPostgres ? jsonArrayOfPostgres : jsonArrayOfSqlite) as (one: never) => {
				as: (name: string) => unknown;
			};
			return roll.chance(50) ? [json(chosen as never).as("many")] : [chosen.limit(1).as("one")];
		});
	if (roll.chance(10)) query = query.select(sql`${sql.ref(columns[0] ?? "")}`.as("raw"));
	if (roll.chance(2)) query = query.select(sql([`(select max("amount") from "invoice")`] as never).as("stolen"));
	if (roll.chance(10)) query = query.distinct();
	if (depth === 0 && roll.chance(10)) {
		const one = () => {
			const table = tableOf(context);
			const alias = context.next();
			const text = COLUMNS[table].find((column) => !isNumber(column)) ?? "";
			const start = db as never as { selectFrom: (name: string) => Selecting };
			return start.selectFrom(`${table} as ${alias}`).select(`${alias}.${text} as x0`);
		};
		return one()[roll.oneOf<SetOperation>(["union", "unionAll", "intersect", "except"])](one());
	}
	if (roll.chance(20)) {
		for (const { alias, table } of sources)
			for (const column of COLUMNS[table].filter((name) => name === "tenantId" || name === "id" || name === "code"))
				query = query.orderBy(`${alias}.${column}`, "asc");
		if (roll.chance(50)) query = query.limit(1 + roll.below(4)).offset(roll.below(2));
	}
	if (roll.chance(2)) query = query.modifyEnd(sql([roll.pick(ENDS) ?? ""] as never));
	return query;
};

type Writing = { compile: () => { sql: string }; execute: () => Promise<unknown> };

const insertOf = (context: Context): Writing => {
	const { roll, db } = context;
	const table = tableOf(context);
	const tenantColumn = roll.chance(25) ? roll.oneOf(["tenantId", "tenantId", "TenantId"]) : undefined;
	const rowOf = (n: number): Record<string, unknown> => ({
		...Object.fromEntries(
			COLUMNS[table].filter((column) => column !== "tenantId").map((column) => [column, cellOf(roll, column)]),
		),
		...(table === "country" ? { code: roll.oneOf(["DE", `new${n}`]) } : { id: roll.oneOf(["i1", "c1", `new${n}`]) }),
		...(table !== "country" && tenantColumn ? { [tenantColumn]: cellOf(roll, "tenantId") } : {}),
	});
	const rows = Array.from({ length: 1 + roll.below(2) }, (_, n) => rowOf(n));
	const keys = table === "country" ? ["code"] : ["tenantId", "id"];
	if (roll.chance(5))
		return db
			.insertInto(table)
			.columns(COLUMNS[table] as never)
			.expression(db.selectFrom(table).selectAll() as never) as never;
	let query = db.insertInto(table).values(rows as never);
	if (roll.chance(60))
		query = query.onConflict((conflict) => {
			const on = conflict.columns(keys as never);
			if (roll.chance(30)) return on.doNothing() as never;
			const column = roll.chance(8) ? "tenantId" : (COLUMNS[table].at(-1) ?? "");
			const set = on.doUpdateSet({ [column]: cellOf(roll, column) } as never);
			const source = { alias: table, table };
			return (roll.chance(40) ? set.where((eb) => conditionOf(context, eb as never, [source], 1)) : set) as never;
		});
	return (roll.chance(60) ? query.returningAll() : query) as never;
};

const updateOf = (context: Context): Writing => {
	const { roll, db } = context;
	const source: Source = { alias: context.next(), table: tableOf(context) };
	const column = roll.chance(10) ? "tenantId" : (COLUMNS[source.table].at(-1) ?? "");
	const update = db.updateTable(`${source.table} as ${source.alias}` as never) as never as Updating;
	const subquery = (eb: Builder) => {
		const alias = context.next();
		const number = isNumber(column);
		const table: TableName = number ? "invoice" : "country";
		const from = eb.selectFrom(`${table} as ${alias}` as never) as never as Selecting;
		return from.select((inside: Builder) => [
			inside.fn.max(refOf(inside, { alias, table }, number ? "amount" : "label")).as("most"),
		]);
	};
	const kind = roll.below(10);
	const set =
		kind < 5
			? update.set({ [column]: cellOf(roll, column) })
			: kind < 8
				? update.set((eb: Builder) => ({ [column]: subquery(eb) }))
				: kind < 9
					? update.set(sql([`"${column}"`] as never), cellOf(roll, column))
					: update.set({ [column]: sql([roll.oneOf([`0, "tenantId" = 'a'`, `(select 1)`, "1 + 1"])] as never) });
	const where = roll.chance(85) ? set.where((eb) => conditionOf(context, eb, [source], 0)) : set;
	const ended = roll.chance(4) ? where.modifyEnd(sql([roll.pick(ENDS) ?? ""] as never)) : where;
	return roll.chance(50) ? ended.returning([`${source.alias}.${column}` as never]) : ended;
};

type Updating = Writing & {
	set: (values: unknown, value?: unknown) => Updating;
	where: (condition: (eb: Builder) => Expression<SqlBool>) => Updating;
	modifyEnd: (end: RawBuilder<unknown>) => Updating;
	returning: (columns: string[]) => Updating;
};

const deleteOf = (context: Context): Writing => {
	const { roll, db } = context;
	const source: Source = { alias: context.next(), table: tableOf(context) };
	const start = db.deleteFrom(`${source.table} as ${source.alias}` as never) as never as Updating;
	const where = roll.chance(90) ? start.where((eb) => conditionOf(context, eb, [source], 0)) : start;
	const ended = roll.chance(4) ? where.modifyEnd(sql([roll.pick(ENDS) ?? ""] as never)) : where;
	return roll.chance(50) ? ended.returning([`${source.alias}.${COLUMNS[source.table][0]}`]) : ended;
};

/** The same roll builds the same query for either side. */
export const kyselyQuery = (db: Kysely<Shop>, roll: Roll, isPostgres: boolean): { kind: string; query: Writing } => {
	let aliases = 0;
	const context: Context = { db, roll, isPostgres, next: () => `t${aliases++}` };
	const [kind, build] = roll.oneOf<[string, (from: Context) => Writing]>([
		["select", selectOf],
		["select", selectOf],
		["select", selectOf],
		["insert", insertOf],
		["update", updateOf],
		["delete", deleteOf],
	]);
	return { kind, query: build(context) };
};
