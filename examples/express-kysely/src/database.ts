import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";

/** The tables that this application queries itself. Better Auth creates them. */
type Tables = { user: { id: string; name: string; email: string; tenantId: string; createdAt: Date } };

export const db = new Kysely<Tables>({
	dialect: new PostgresDialect({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) }),
});

/** Lists the users of one tenant. Queries of your own must name the tenant: Better Auth scopes only its own. */
export const listUsers = (tenantId: string) =>
	db
		.selectFrom("user")
		.select(["id", "name", "email"])
		.where("tenantId", "=", tenantId)
		.orderBy("createdAt")
		.limit(100)
		.execute();

export type ListedUser = Awaited<ReturnType<typeof listUsers>>[number];
