import { BetterAuthError } from "@better-auth/core/error";
import { derivedValue } from "../../scope/data/derived-value.ts";
import { type Driver, type EngineDatabase, findDriver } from "./driver.ts";
import { type Finding, inspectDatabase } from "./findings.ts";
import { quoteIn } from "./quote.ts";
import { withoutUnique } from "./sqlite-table.ts";

type Migratable = { $context: Promise<EngineDatabase> };

/** One statement of {@link tenantMigrationPlan}. */
export type TenantMigrationStep = {
	/**
	 * `expand`: processes of the previous version keep working. `contract`: drops what they may need, so run it when none
	 * is left.
	 */
	phase: "expand" | "contract";
	/**
	 * `fill` updates many rows. Its condition ends the statement, so you can append `and …` to run it in batches. `fill-row`
	 * updates one. `rebuild` is part of a sequence that recreates a table (SQLite) and must run completely.
	 */
	kind: "column" | "fill" | "fill-row" | "index" | "drop" | "rebuild";
	/** The table's name in the database. */
	table: string;
	/** The statement, without a semicolon. */
	sql: string;
};

/**
 * Returns the SQL statements that a database with users still needs and that Better Auth's migration does not run. Read and
 * run them before the migration (text columns of MySQL, targets of foreign keys) and after it (filling derived columns,
 * dropping old unique indexes). It reads the database, writes nothing, and returns an empty list when nothing is missing.
 *
 * @example
 * ```ts
 * for (const statement of await tenantMigrationSteps(auth)) console.log(`${statement};`);
 * ```
 */
export const tenantMigrationSteps = async (auth: Migratable): Promise<string[]> =>
	(await tenantMigrationPlan(auth)).map(({ sql }) => sql);

/**
 * Returns the same statements as {@link tenantMigrationSteps}, each with its phase, for an upgrade without a stop: run
 * the `expand` steps while processes of the previous version are running, and the `contract` steps when none is left.
 *
 * @example
 * ```ts
 * const plan = await tenantMigrationPlan(auth);
 * for (const { sql } of plan.filter(({ phase }) => phase === "expand")) await pool.query(sql);
 * ```
 */
export const tenantMigrationPlan = async (auth: Migratable): Promise<TenantMigrationStep[]> => {
	const context = await auth.$context;
	const client = databaseClientOf(context);
	const driver = findDriver(context, client);
	if (!driver)
		throw new BetterAuthError(
			`tenantMigrationSteps: this database cannot be read (adapter "${context.adapter.id}"). With an ORM, pass its client to tenantAuth({ database: { client } }).`,
		);
	const findings = await inspectDatabase({ context, driver, client });
	return [...prepareTables(driver, findings), ...(await finishTables(driver, findings))];
};

/** The client of an ORM, from the options of `tenantAuth()`. */
export const databaseClientOf = ({ options }: EngineDatabase): unknown =>
	(options.plugins?.[0]?.options as { database?: { client?: unknown } } | undefined)?.database?.client;

type Of<Kind extends Finding["kind"]> = Extract<Finding, { kind: Kind }>;
const only = <Kind extends Finding["kind"]>(findings: Finding[], kind: Kind): Of<Kind>[] =>
	findings.filter((finding): finding is Of<Kind> => finding.kind === kind);

type Kind = TenantMigrationStep["kind"];
const stepsOf =
	(phase: TenantMigrationStep["phase"]) =>
	(kind: Kind, { table }: { table: string }, statements: string[]): TenantMigrationStep[] =>
		statements.map((sql) => ({ phase, kind, table, sql }));
const expand = stepsOf("expand");
const contract = stepsOf("contract");

/** The steps before the engine's migration. */
const prepareTables = ({ dialect, orm }: Driver, findings: Finding[]): TenantMigrationStep[] => {
	if (orm) return [];
	const quote = quoteIn(dialect);
	const targets = only(findings, "untargeted").flatMap(({ names, column, index }) => [
		expand("column", names, [
			`alter table ${quote(names)} add column ${quote(column)} ${dialect === "mysql" ? "varchar(255)" : "text"}`,
		]),
		expand("index", names, [`create unique index ${quote(index)} on ${quote(names)} (${quote(column)})`]),
	]);
	const bounded = only(findings, "unbounded").map(({ names, column, type, length, longest }) => {
		// without strict mode MySQL would truncate the values, so two users could become one
		if (longest > length)
			throw new BetterAuthError(
				`tenantMigrationSteps: ${names.table}.${column} has values of up to ${longest} characters, but a unique index allows ${length}. Shorten or remove those rows first.`,
			);
		return expand("column", names, [`alter table ${quote(names)} modify ${quote(column)} ${type}`]);
	});
	return [...targets, ...bounded].flat();
};

/** The steps after the engine's migration. */
const finishTables = async (driver: Driver, findings: Finding[]): Promise<TenantMigrationStep[]> => {
	// in the engine's order of tables: a referenced table comes before the tables that reference it
	const filling = only(findings, "unfilled").map(async (finding) => {
		const { many, single } = await fillColumn(driver, finding);
		return [...expand("fill", finding.names, many), ...expand("fill-row", finding.names, single)];
	});
	const fill = (await Promise.all(filling)).flat();
	// an ORM's own tool must change the indexes, otherwise it would restore the old ones
	if (driver.orm) return fill;
	const leftover = only(findings, "leftover");
	const byRebuilding = driver.dialect === "sqlite" ? leftover.filter(({ index }) => index.owner === "column") : [];
	const missing = only(findings, "missing");
	const createIndex = createIndexIn(driver);
	const dropKeys = leftover.map(async (one) => contract("drop", one.names, await dropForeignKeys(driver, one)));
	const steps = [
		...fill,
		...missing
			.filter(({ names }) => !byRebuilding.some((one) => one.names === names))
			.flatMap((one) => expand("index", one.names, [createIndex(one)])),
		...(await Promise.all(dropKeys)).flat(),
		...leftover
			.filter((one) => !byRebuilding.includes(one))
			.flatMap((one) => contract("drop", one.names, [dropIndex(driver, one)])),
	];
	for (const names of new Set(byRebuilding.map((one) => one.names))) {
		const constraints = byRebuilding.filter((one) => one.names === names);
		const indexes = missing.filter((one) => one.names === names).map(createIndex);
		steps.push(...contract("rebuild", names, await rebuildTable(driver, constraints, indexes)));
	}
	return steps;
};

const createIndexIn = ({ dialect }: Driver) => {
	const quote = quoteIn(dialect);
	return ({ names, index, columns, unique }: Of<"missing">): string =>
		`create ${unique ? "unique index" : "index"} ${quote(index)} on ${quote(names)} (${columns.map(quote).join(", ")})`;
};

/**
 * Drops foreign keys that use the old index. The migration created new keys that include the tenant. With the old keys,
 * a deletion in one tenant would cascade to rows that reference another tenant's row with the same value.
 */
const dropForeignKeys = async ({ dialect, ask }: Driver, { names, index }: Of<"leftover">): Promise<string[]> => {
	const quote = quoteIn(dialect);
	const columns = index.columns.map((column) => `'${column}'`).join(", ");
	if (columns === "") return [];
	const keys = await ask(
		{
			postgres: `select conname::text as name, conrelid::regclass::text as child from pg_constraint where contype = 'f' and conindid = to_regclass('${quote({ schema: names.schema, table: index.name })}')`,
			mysql: `select constraint_name as name, table_name as child from information_schema.key_column_usage where table_schema = database() and referenced_table_name = '${names.table}' and referenced_column_name in (${columns})`,
			sqlite: `select m.name as child from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table' and f."table" = '${names.table}' and f."to" in (${columns})`,
		}[dialect],
	);
	return keys.map((key) => {
		const [name, child] = [String(key.name ?? key.NAME), String(key.child ?? key.CHILD)];
		if (dialect === "mysql") return `alter table ${quote(child)} drop foreign key ${quote(name)}`;
		// PostgreSQL has already quoted `child`
		if (dialect === "postgres") return `alter table ${child} drop constraint ${quote(name)}`;
		throw new BetterAuthError(
			`tenantMigrationSteps: a foreign key of the table ${child} references ${names.table} (${index.columns.join(", ")}), and SQLite cannot drop it. Recreate both tables by hand; see docs/database.md.`,
		);
	});
};

const dropIndex = ({ dialect }: Driver, { names, index }: Of<"leftover">): string => {
	const quote = quoteIn(dialect);
	if (dialect === "mysql") return `alter table ${quote(names)} drop index ${quote(index.name)}`;
	if (index.owner === "constraint") return `alter table ${quote(names)} drop constraint ${quote(index.name)}`;
	// an index is in the schema of its table
	return `drop index ${quote({ schema: names.schema, table: index.name })}`;
};

/**
 * SQLite cannot drop a column's constraint, so the table is recreated (SQLite documentation, lang_altertable, section
 * 7).
 */
const rebuildTable = async ({ ask }: Driver, constraints: Of<"leftover">[], indexes: string[]): Promise<string[]> => {
	const quote = quoteIn("sqlite");
	const table = constraints[0]?.names.table ?? "";
	const columns = constraints.flatMap(({ index }) => index.columns);
	const definitions = await ask(
		`select type, sql from sqlite_master where tbl_name = '${table}' and sql is not null and type in ('table', 'index', 'trigger')`,
	);
	const statement = String(definitions.find(({ type }) => type === "table")?.sql);
	const rebuilt = quote(`${table}_rebuilt`);
	const create = withoutUnique(statement, rebuilt, columns);
	if (!create)
		throw new BetterAuthError(
			`tenantMigrationSteps: the table ${table} was not created by Better Auth. Recreate it by hand, without unique on ${columns.join(", ")}; see docs/database.md.`,
		);
	const all = (await ask(`select name from pragma_table_info('${table}')`)).map(({ name }) => quote(String(name)));
	const [foreignKeys] = await ask("select foreign_keys as checked from pragma_foreign_keys");
	return [
		"pragma foreign_keys = off",
		// otherwise views that use the table prevent the renaming
		"pragma legacy_alter_table = on",
		"begin immediate",
		// fails if foreign keys are still on, as inside a transaction: dropping the table would delete rows that reference
		// it
		'create temp table "foreign_keys_are_off" ("checked" integer check ("checked" = 0))',
		'insert into "foreign_keys_are_off" select foreign_keys from pragma_foreign_keys',
		'drop table "foreign_keys_are_off"',
		create,
		`insert into ${rebuilt} (${all.join(", ")}) select ${all.join(", ")} from ${quote(table)}`,
		`drop table ${quote(table)}`,
		`alter table ${rebuilt} rename to ${quote(table)}`,
		...definitions.filter(({ type }) => type !== "table").map(({ sql }) => String(sql)),
		...indexes,
		"commit",
		"pragma legacy_alter_table = off",
		...(Number(foreignKeys?.checked) === 1 ? ["pragma foreign_keys = on"] : []),
	];
};

type Unfilled = Extract<Finding, { kind: "unfilled" }>;
/** statements for many rows, whose condition ends in `and`s, and for single rows */
type Filling = { many: string[]; single: string[] };

/**
 * Returns the SQL that fills a derived column with the values that the scoped adapter writes for new rows. Plain values
 * take one statement. Hashed values take one statement per row, because not every database can compute the hash.
 */
const fillColumn = async ({ dialect, ask }: Driver, finding: Unfilled): Promise<Filling> => {
	const { names, column, from, tenant, derived } = finding;
	const quote = quoteIn(dialect);
	const table = quote(names);
	const plain =
		dialect === "mysql" ? `concat(${quote(tenant)}, ':', ${quote(from)})` : `${quote(tenant)} || ':' || ${quote(from)}`;
	const unfilled = `${quote(from)} is not null and ${quote(column)} is null`;
	// compares bytes: a text never has more characters than bytes
	const bytes = dialect === "sqlite" ? `length(cast(${plain} as blob))` : `octet_length(${plain})`;
	const id = quote(names.column("id"));
	const hashed = await ask(
		`select ${id} as id, ${quote(tenant)} as tenant, ${quote(from)} as value from ${table} where ${unfilled}${derived.isReference ? "" : ` and ${bytes} > 255`}`,
	);
	const literal = (value: unknown): string => {
		const text = String(value).replaceAll("'", "''");
		return `'${dialect === "mysql" ? text.replaceAll("\\", "\\\\") : text}'`;
	};
	const single = await Promise.all(
		hashed.map(async (row) => {
			const value = await derivedValue(derived, String(row.tenant), row.value);
			return `update ${table} set ${quote(column)} = ${literal(value)} where ${id} = ${literal(row.id)}`;
		}),
	);
	const many = `update ${table} set ${quote(column)} = ${plain} where ${unfilled} and ${bytes} <= 255`;
	return { many: derived.isReference ? [] : [many], single };
};
