import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PrismaPg } from "@prisma/adapter-pg";
import { runWithTenant } from "better-auth-tenants";
import {
	rowSecuritySql,
	type TableOptions,
	tenantRowPool,
	tenantRowsForKysely,
	tenantRowsForPrisma,
} from "better-auth-tenants/rows";
import Sqlite from "better-sqlite3";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { Pool } from "pg";
import { createDatabase } from "test-kit/databases";
import type { Roll } from "../model/roll.ts";
import type { RandomQuery } from "./compare.ts";
import { kyselyQuery } from "./kysely-queries.ts";
import { prismaCall } from "./prisma-queries.ts";
import { createShop, type Shop, type ShopRow, type Side } from "./shop.ts";

/** One helper on one database: what makes its queries, and both sides of the comparison. */
export type Lane = { full: Side; copy: Side; next: (rollAgain: () => Roll) => RandomQuery; close: () => Promise<void> };

/** A planted hole: a table of the tenants that the helper is told to leave alone. It must be found. */
export type LaneOptions = { isHoled: boolean };

const listsFor = (isHoled: boolean): TableOptions =>
	isHoled
		? { own: ["customer"], shared: ["country", "invoice"] }
		: { own: ["customer", "invoice"], shared: ["country"] };

/** A query of Kysely is built twice, and one in twenty is compiled in another tenant than it runs in. */
const kyselyNext =
	(limited: Kysely<Shop>, plain: Kysely<Shop>, isPostgres: boolean): Lane["next"] =>
	(rollAgain) => {
		const build = (db: Kysely<Shop>) => {
			const roll = rollAgain();
			const isCompiledElsewhere = roll.chance(5);
			return { ...kyselyQuery(db, roll, isPostgres), isCompiledElsewhere };
		};
		const { kind, isCompiledElsewhere } = build(plain);
		const isElsewhere = isCompiledElsewhere && kind === "select";
		return {
			kind: isElsewhere ? "compiled" : kind,
			isWrite: kind !== "select",
			limited: async () => {
				if (!isElsewhere) return build(limited).query.execute();
				const compiled = await runWithTenant("a", async () => build(limited).query.compile());
				return (await limited.executeQuery(compiled as never)).rows;
			},
			plain: () => build(plain).query.execute(),
			show: () => build(plain).query.compile().sql,
		};
	};

const sqliteSide = async (isCopy: boolean) => {
	const database = new Sqlite(":memory:");
	const query = async (text: string): Promise<ShopRow[]> => {
		if (text.startsWith("select")) return database.prepare(text).all() as ShopRow[];
		database.exec(text);
		return [];
	};
	const side = await createShop(query, isCopy, "delete from");
	return { database, side };
};

export const kyselyOnSqlite = async ({ isHoled }: LaneOptions): Promise<Lane> => {
	const [full, copy] = [await sqliteSide(false), await sqliteSide(true)];
	const plugins = [tenantRowsForKysely(listsFor(isHoled))];
	const limited = new Kysely<Shop>({ dialect: new SqliteDialect({ database: full.database }), plugins });
	const plain = new Kysely<Shop>({ dialect: new SqliteDialect({ database: copy.database }) });
	return {
		full: full.side,
		copy: copy.side,
		next: kyselyNext(limited, plain, false),
		close: async () => {
			await limited.destroy();
			await plain.destroy();
		},
	};
};

const postgresSide = async (isCopy: boolean) => {
	const database = await createDatabase("postgres");
	const { connectionString = "" } = (database.connection as Pool).options;
	const query = async (text: string): Promise<ShopRow[]> => (await database.query(text)) as ShopRow[];
	return { url: connectionString, query, side: await createShop(query, isCopy, "truncate"), close: database.close };
};

const poolAt = (url: string): Pool => new Pool({ connectionString: url, max: 2 });

const postgresSides = async () => {
	const [full, copy] = [await postgresSide(false), await postgresSide(true)];
	const close = async () => {
		await full.close();
		await copy.close();
	};
	return { full, copy, close };
};

export const kyselyOnPostgres = async ({ isHoled }: LaneOptions): Promise<Lane> => {
	const { full, copy, close } = await postgresSides();
	const plugins = [tenantRowsForKysely(listsFor(isHoled))];
	const limited = new Kysely<Shop>({ dialect: new PostgresDialect({ pool: poolAt(full.url) }), plugins });
	const plain = new Kysely<Shop>({ dialect: new PostgresDialect({ pool: poolAt(copy.url) }) });
	return {
		full: full.side,
		copy: copy.side,
		next: kyselyNext(limited, plain, true),
		close: async () => {
			await limited.destroy();
			await plain.destroy();
			await close();
		},
	};
};

/** Kysely without the helper: row-level security alone limits the rows, also in raw SQL. */
export const rowSecurityOnPostgres = async ({ isHoled }: LaneOptions): Promise<Lane> => {
	const { full, copy, close } = await postgresSides();
	const role = `rows_${randomBytes(6).toString("hex")}`;
	await full.query(`create role ${role} login nobypassrls; grant all on "country", "customer", "invoice" to ${role}`);
	await full.query(rowSecuritySql({ own: listsFor(isHoled).own }));
	const url = new URL(full.url);
	url.username = role;
	const limited = new Kysely<Shop>({ dialect: new PostgresDialect({ pool: tenantRowPool(poolAt(url.href)) }) });
	const plain = new Kysely<Shop>({ dialect: new PostgresDialect({ pool: poolAt(copy.url) }) });
	return {
		full: full.side,
		copy: copy.side,
		next: kyselyNext(limited, plain, true),
		close: async () => {
			await limited.destroy();
			await plain.destroy();
			await full.query(`drop owned by ${role}; drop role ${role}`);
			await close();
		},
	};
};

type PrismaClient = Record<string, Record<string, (args: object) => Promise<unknown>>> & {
	$extends: (extension: unknown) => PrismaClient;
	$disconnect: () => Promise<void>;
};

const FOLDER = fileURLToPath(new URL("../", import.meta.url));

/** Prisma's client is generated from the schema beside this file. */
const generatedClient = async () => {
	// inside of the package, so that the client resolves its imports
	await mkdir(join(FOLDER, "test-results"), { recursive: true });
	const folder = await mkdtemp(join(FOLDER, "test-results/rows-"));
	await copyFile(fileURLToPath(new URL("./schema.prisma", import.meta.url)), join(folder, "schema.prisma"));
	await promisify(execFile)(
		join(FOLDER, "node_modules/.bin/prisma"),
		["generate", "--schema", join(folder, "schema.prisma")],
		{
			cwd: FOLDER,
			env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", CHECKPOINT_DISABLE: "1" },
		},
	);
	const { PrismaClient: Client } = await import(pathToFileURL(join(folder, "client/client.ts")).href);
	await rm(folder, { recursive: true });
	return (url: string): PrismaClient => new Client({ adapter: new PrismaPg({ connectionString: url, max: 2 }) });
};

export const prismaOnPostgres = async ({ isHoled }: LaneOptions): Promise<Lane> => {
	const { full, copy, close } = await postgresSides();
	const clientAt = await generatedClient();
	const { own, shared = [] } = listsFor(isHoled);
	const named = (tables: readonly string[]) => tables.map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`);
	const base = clientAt(full.url);
	const limited = base.$extends(tenantRowsForPrisma({ own: named(own), shared: named(shared) }));
	const plain = clientAt(copy.url);
	return {
		full: full.side,
		copy: copy.side,
		next: (rollAgain) => {
			const { model, operation, args, isWrite } = prismaCall(rollAgain());
			const on = (client: PrismaClient) => async () => await client[model]?.[operation]?.(args);
			return {
				kind: operation,
				isWrite,
				limited: on(limited),
				plain: on(plain),
				show: () => `${model}.${operation}(${JSON.stringify(args)})`,
			};
		},
		close: async () => {
			await base.$disconnect();
			await plain.$disconnect();
			await close();
		},
	};
};
