import { CROWDED, createCrowd, crowdTenantId } from "test-kit/crowd";
import { createWorld, ORIGIN, PASSWORD, type WorldOptions } from "test-kit/world";

/** Enough rows that PostgreSQL prefers an index wherever there is one. */
const TENANTS = 5_000;
const USERS = 20_000;

/** A PostgreSQL world with thousands of rows in every table. Returns its largest tenant and a small one. */
export const createCrowdedWorld = async (options: WorldOptions) => {
	const world = await createWorld({ ...options, database: "postgres" });
	const { query } = world.database;
	const model = await world.newTenant();
	await world.signUp(model, "model@example.com");
	const config = { tenantId: model, providerId: "google", clientId: "model", clientSecret: PASSWORD };
	await world.call("/tenant/oauth-config/register", { operator: true, body: config });
	await world.call("/tenant/sign-in/social", { body: { tenantId: model, provider: "google", callbackURL: ORIGIN } });

	const crowd = createCrowd(query);
	await crowd.takeTemplates();
	await crowd.addTenants(1, TENANTS);
	await crowd.addUsers(TENANTS, 1, USERS);
	await crowd.addVerifications(TENANTS, 1, USERS);
	await crowd.dropTemplates();
	await query("analyze");

	const idOfRank = async (rank: number): Promise<string> =>
		String((await query(`select ${crowdTenantId(rank)} as id`))[0]?.id);
	return {
		...world,
		tenants: { largest: await idOfRank(1), small: await idOfRank(TENANTS) },
		/** rows in the smallest table */
		fewestRows: async (): Promise<number> => {
			const counts = await Promise.all(CROWDED.map((table) => query(`select count(*)::int as n from "${table}"`)));
			return Math.min(...counts.map(([row]) => Number(row?.n)));
		},
	};
};

export type CrowdedWorld = Awaited<ReturnType<typeof createCrowdedWorld>>;
