import type { TestDatabase } from "test-kit/databases";

const SERVERS = {
	postgres: () => process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/postgres",
	mysql: () => process.env.TEST_MYSQL_URL ?? "mysql://root@127.0.0.1:3306/mysql",
};

/** URL of a test's database, for another process. */
export const urlOf = async ({ kind, query }: TestDatabase): Promise<string> => {
	if (kind === "sqlite") return String((await query("select file from pragma_database_list"))[0]?.file);
	const [row] = await query(`select ${kind === "postgres" ? "current_database()" : "database()"} as name`);
	const url = new URL(SERVERS[kind]());
	url.pathname = `/${row?.name}`;
	return url.toString();
};
