import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { prismaAdapter } from "better-auth/adapters/prisma";
import Database from "better-sqlite3";
import { createPool } from "mysql2/promise";
import { Pool } from "pg";
import { composedOptions, engineOptions, grownPlugins } from "./composed.ts";

/** The configuration file that the engine's command line loads. The environment selects the database. */
const {
	TEST_CLI_DATABASE: kind,
	TEST_CLI_URL: url = "",
	TEST_CLI_PROVIDER: provider,
	TEST_CLI_BARE: bare,
} = process.env;

const connect = () => {
	switch (kind) {
		case "postgres":
			return new Pool({ connectionString: url });
		case "mysql":
			return createPool({ uri: url });
		case "sqlite":
			return new Database(url);
		case "drizzle":
			// generating a schema runs no statement
			return drizzleAdapter({}, { provider: provider as "pg", transaction: true });
		case "prisma":
			return prismaAdapter({}, { provider: provider as "postgresql", transaction: true });
		default:
			throw new Error(`no database of the kind ${kind}`);
	}
};

export const auth = bare
	? betterAuth({ ...engineOptions(connect()), plugins: [...grownPlugins()] })
	: betterAuth(composedOptions(connect()));
