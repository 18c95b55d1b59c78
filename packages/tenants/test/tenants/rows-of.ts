import type { World } from "test-kit/world";

const TABLES = ["user", "session", "account", "verification", "tenantDomain", "tenantOauthConfig"];

/** The number of rows of a tenant, in all tables. */
export const rowsOf = async (world: World, tenantId: string): Promise<number> => {
	let rows = 0;
	// with Redis only, sessions and verifications have no table
	const { tables } = await world.auth.$context;
	for (const table of TABLES.filter((name) => name in tables))
		rows += Number(
			(await world.database.query(`select count(*) as n from "${table}" where "tenantId" = '${tenantId}'`))[0]?.n,
		);
	return rows;
};
