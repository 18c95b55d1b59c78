import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { multiTenant, tenantSessionHooks } from "better-auth-multi-tenant";
import { tenantAuth } from "better-auth-tenants";
import type { Pool } from "pg";
import { cheapHash } from "test-kit/cheap-hash";
import { DOMAIN, slugOf, tenantIdOf } from "./tenant-names.ts";
import { type Served, signUp } from "./visit.ts";

export const NAMES = ["ours", "instances", "package"] as const;
export type ContestantName = (typeof NAMES)[number];

type Contestant = {
	/** its name in tables and legends */
	title: string;
	/** Creates its tables with one user, as the engine writes it. The other databases are copies. */
	prepare: (pool: Pool) => Promise<string[]>;
	/** The handler of a tenant's requests, and the headers that name the tenant. */
	open: (pool: Pool) => (tenant: number) => Served;
};

const OUR_ORIGIN = `https://auth.${DOMAIN}`;
const FIRST = `first@${DOMAIN}`;

const common = (pool: Pool) =>
	({
		database: pool,
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		rateLimit: { enabled: false },
		logger: { level: "error" },
		emailAndPassword: { enabled: true, password: cheapHash },
	}) satisfies BetterAuthOptions;

const ourOptions = (pool: Pool) =>
	({
		...common(pool),
		baseURL: OUR_ORIGIN,
		plugins: [tenantAuth()],
	}) satisfies BetterAuthOptions;

const ours: Contestant = {
	title: "tenantAuth(), one engine",
	prepare: async (pool) => {
		await migrate(ourOptions(pool));
		const auth = betterAuth(ourOptions(pool));
		const { id } = await auth.api.createTenant({ body: { name: "First", slug: "first" } });
		await signUp({ handler: auth.handler, origin: OUR_ORIGIN, headers: { "x-tenant-id": id } }, FIRST);
		return ["tenant", "user", "account"];
	},
	open: (pool) => {
		const { handler } = betterAuth(ourOptions(pool));
		return (tenant) => ({ handler, origin: OUR_ORIGIN, headers: { "x-tenant-id": tenantIdOf(tenant) } });
	},
};

const instanceOptions = (pool: Pool, tenant: number) =>
	({
		...common(pool),
		baseURL: originOf(tenant),
		secret: `a secret of one tenant alone, number ${tenant}`,
	}) satisfies BetterAuthOptions;

/**
 * One engine per tenant, created on its first request and kept. They share the pool and one set of tables: that does
 * not separate users, but is the cheapest form. new-tenants.ts measures separate tables.
 */
const instances: Contestant = {
	title: "one engine per tenant",
	prepare: async (pool) => {
		await migrate(instanceOptions(pool, 0));
		const { handler } = betterAuth(instanceOptions(pool, 0));
		await signUp({ handler, origin: originOf(0), headers: {} }, FIRST);
		return ["user", "account"];
	},
	open: (pool) => {
		const engines = new Map<number, Served["handler"]>();
		return (tenant) => {
			const handler = engines.get(tenant) ?? betterAuth(instanceOptions(pool, tenant)).handler;
			engines.set(tenant, handler);
			return { handler, origin: originOf(tenant), headers: {} };
		};
	},
};

/** As in its README: looks up the tenant of the request's host in the database each time. */
const packageOptions = (pool: Pool) =>
	({
		...common(pool),
		baseURL: OUR_ORIGIN,
		trustedOrigins: [`https://*.${DOMAIN}`],
		plugins: [
			multiTenant({
				baseDomain: DOMAIN,
				getTenant: async (slug) => {
					const { rows } = await pool.query<{ id: string; slug: string; status: string }>(
						"select id, slug, status from tenant where slug = $1",
						[slug],
					);
					return rows[0] ?? null;
				},
			}),
		],
		databaseHooks: tenantSessionHooks(),
	}) satisfies BetterAuthOptions;

const otherPackage: Contestant = {
	title: "better-auth-multi-tenant",
	prepare: async (pool) => {
		await migrate(packageOptions(pool));
		await pool.query("create table tenant (id text primary key, slug text not null unique, status text not null)");
		await pool.query("insert into tenant values ('first', 'first', 'active')");
		const host = `first.${DOMAIN}`;
		const { handler } = betterAuth(packageOptions(pool));
		await signUp({ handler, origin: `https://${host}`, headers: { host } }, FIRST);
		return ["tenant", "user", "account"];
	},
	open: (pool) => {
		const { handler } = betterAuth(packageOptions(pool));
		return (tenant) => ({
			handler,
			origin: originOf(tenant),
			headers: { host: `${slugOf(tenant)}.${DOMAIN}` },
		});
	},
};

export const CONTESTANTS: Record<ContestantName, Contestant> = { ours, instances, package: otherPackage };

const originOf = (tenant: number): string => `https://${slugOf(tenant)}.${DOMAIN}`;

/** Creates the tables of an engine with these options. */
export const migrate = async (options: BetterAuthOptions): Promise<void> =>
	(await getMigrations(options)).runMigrations();
