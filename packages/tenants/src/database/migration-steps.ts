import { BetterAuthError } from "@better-auth/core/error";
import { type Driver, type EngineDatabase, findDriver } from "./driver.ts";
import { fillColumn } from "./fill-steps.ts";
import { type Finding, inspectDatabase } from "./findings.ts";
import { quoteIn } from "./quote.ts";
import { withoutUnique } from "./sqlite-table.ts";

type Migratable = { $context: Promise<EngineDatabase> };

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
export const tenantMigrationSteps = async (auth: Migratable): Promise<string[]> => {
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

const databaseClientOf = ({ options }: EngineDatabase): unknown =>
	(options.plugins?.[0]?.options as { database?: { client?: unknown } } | undefined)?.database?.client;

type Of<Kind extends Finding["kind"]> = Extract<Finding, { kind: Kind }>;
const only = <Kind extends Finding["kind"]>(findings: Finding[], kind: Kind): Of<Kind>[] =>
	findings.filter((finding): finding is Of<Kind> => finding.kind === kind);

/** The steps before the engine's migration. */
const prepareTables = ({ dialect, orm }: Driver, findings: Finding[]): string[] => {
	if (orm) return [];
	const quote = quoteIn(dialect);
	const targets = only(findings, "untargeted").flatMap(({ names, column, index }) => [
		`alter table ${quote(names)} add column ${quote(column)} ${dialect === "mysql" ? "varchar(255)" : "text"}`,
		`create unique index ${quote(index)} on ${quote(names)} (${quote(column)})`,
	]);
	const bounded = only(findings, "unbounded").map(({ names, column, type, length, longest }) => {
		// without strict mode MySQL would truncate the values, so two users could become one
		if (longest > length)
			throw new BetterAuthError(
				`tenantMigrationSteps: ${names.table}.${column} has values of up to ${longest} characters, but a unique index allows ${length}. Shorten or remove those rows first.`,
			);
		return `alter table ${quote(names)} modify ${quote(column)} ${type}`;
	});
	return [...targets, ...bounded];
};

/** The steps after the engine's migration. */
const finishTables = async (driver: Driver, findings: Finding[]): Promise<string[]> => {
	// in the engine's order of tables: a referenced table comes before the tables that reference it
	const fill = (await Promise.all(only(findings, "unfilled").map((finding) => fillColumn(driver, finding)))).flat();
	// an ORM's own tool must change the indexes, otherwise it would restore the old ones
	if (driver.orm) return fill;
	const leftover = only(findings, "leftover");
	const byRebuilding = driver.dialect === "sqlite" ? leftover.filter(({ index }) => index.owner === "column") : [];
	const missing = only(findings, "missing");
	const statements = [
		...fill,
		...missing.filter(({ names }) => !byRebuilding.some((one) => one.names === names)).map(createIndexIn(driver)),
		...(await Promise.all(leftover.map((one) => dropForeignKeys(driver, one)))).flat(),
		...leftover.filter((one) => !byRebuilding.includes(one)).map((one) => dropIndex(driver, one)),
	];
	for (const names of new Set(byRebuilding.map((one) => one.names))) {
		const constraints = byRebuilding.filter((one) => one.names === names);
		const indexes = missing.filter((one) => one.names === names).map(createIndexIn(driver));
		statements.push(...(await rebuildTable(driver, constraints, indexes)));
	}
	return statements;
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
