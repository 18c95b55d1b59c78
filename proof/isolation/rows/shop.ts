/** The tenant whose queries are compared. The others have rows with the same ids. */
export const TENANT = "b";
export const OTHERS = ["a", "c"];

const TABLES = ["country", "customer", "invoice"] as const;
export type TableName = (typeof TABLES)[number];
export type Cell = string | number | null;
export type ShopRow = Record<string, Cell>;
/** Kysely's type of the tables. Queries are built at random, so columns are not known when this is compiled. */
export type Shop = Record<TableName, ShopRow>;

/** Keys contain the tenant, as the guide says. Nothing else keeps the rows of the tenants apart here. */
export const COLUMNS: Record<TableName, readonly string[]> = {
	country: ["code", "label"],
	customer: ["tenantId", "id", "name", "rank"],
	invoice: ["tenantId", "id", "customerId", "countryCode", "amount"],
};

const CREATE = [
	`create table "country" ("code" text primary key, "label" text)`,
	`create table "customer" ("tenantId" text not null default '${TENANT}', "id" text not null, "name" text, "rank" integer, primary key ("tenantId", "id"))`,
	`create table "invoice" ("tenantId" text not null default '${TENANT}', "id" text not null, "customerId" text, "countryCode" text, "amount" integer, primary key ("tenantId", "id"))`,
];

const CODES = ["DE", "FR", "JP"];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

const rowsOf = (tenant: string): string[] => {
	// every value says its tenant, so that a row of another one changes each result that it reaches
	const base = (tenant.charCodeAt(0) - 96) * 100;
	const customers = numbers(3).map((n) => `('${tenant}', 'c${n}', '${tenant} customer ${n}', ${base + n})`);
	const invoices = numbers(5).map(
		(n) => `('${tenant}', 'i${n}', 'c${(n % 4) + 1}', ${n === 5 ? "null" : `'${CODES[n % 3]}'`}, ${base + n * 7})`,
	);
	return [
		`insert into "customer" values ${customers.join(", ")}`,
		`insert into "invoice" values ${invoices.join(", ")}`,
	];
};

const countries = `insert into "country" values ${CODES.map((code) => `('${code}', 'label of ${code}')`).join(", ")}`;

/** The statements that fill the tables: of all tenants, or a copy with the rows of one. */
const fill = (isCopy: boolean): string[] => [countries, ...(isCopy ? [TENANT] : [TENANT, ...OTHERS]).flatMap(rowsOf)];

type Query = (sql: string) => Promise<ShopRow[]>;

/** One side of the comparison. */
export type Side = {
	/** the rows of the tenant and the shared ones, and the rows of other tenants */
	dump: () => Promise<Dump>;
	/** what `dump` returns after `restore` */
	filled: Dump;
	restore: () => Promise<void>;
};
type Dump = { own: string; others: string };

/** All rows in one statement, which PostgreSQL and SQLite understand. */
const DUMP = `select 'country' as "table", null as "tenantId", "code" as "id", "label" as "a", null as "b", null as "n" from "country"
	union all select 'customer', "tenantId", "id", "name", null, "rank" from "customer"
	union all select 'invoice', "tenantId", "id", "customerId", "countryCode", "amount" from "invoice"`;

/** PostgreSQL keeps deleted rows until a vacuum, and thousands of them slow each query down: `truncate` does not. */
type Empty = "delete from" | "truncate";

export const createShop = async (query: Query, isCopy: boolean, empty: Empty): Promise<Side> => {
	for (const statement of CREATE) await query(statement);
	const restore = async (): Promise<void> => {
		const emptied = TABLES.map((table) => `${empty} "${table}"`);
		await query([...emptied, ...fill(isCopy)].join("; "));
	};
	const dump = async (): Promise<Dump> => {
		const rows = await query(DUMP);
		const isOther = ({ tenantId }: ShopRow) => OTHERS.includes(String(tenantId));
		const textOf = (some: ShopRow[]) =>
			some
				.map((row) => JSON.stringify(row))
				.sort()
				.join("\n");
		return { own: textOf(rows.filter((row) => !isOther(row))), others: textOf(rows.filter(isOther)) };
	};
	await restore();
	return { dump, filled: await dump(), restore };
};
