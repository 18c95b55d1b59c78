import { admin } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import { tenantAdmin, tenantRoles } from "better-auth-tenants/admin";
import { tenantLifecycle } from "better-auth-tenants/lifecycle";
import type { Pool } from "pg";
import { startPostgres } from "test-kit/servers/postgres-server";
import { fillTenant, startTenant } from "../deletion/fill-tenant.ts";
import { measureSearch, type Search } from "../search/measure-search.ts";
import { MANAGEMENT_KEY, startEngine } from "../stage/engine.ts";

export type TenantSearchResult = {
	tenants: number;
	/** of one of them */
	users: number;
	requests: number;
	searches: Search[];
};

type Sizes = { tenants: number; users: number; requests: number; log: (line: string) => void };

/** One of so many tenants is suspended, and one is archived. */
const RARE = 1_000;

/** Lists and searches tenants and the users of a large one, in this process, without a network to the client. */
export const searchTenants = async ({ tenants, users, requests, log }: Sizes): Promise<TenantSearchResult> => {
	const postgres = await startPostgres();
	try {
		const engine = await startEngine({
			postgres: postgres.url,
			database: "tenant_search",
			hashing: "cheap",
			tenants: null,
			plugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [
				tenantLifecycle(),
				admin({ ...tenantRoles }),
				tenantAdmin(),
			]),
		});
		try {
			const tenantId = await startTenant(engine, "large");
			await fillTenant(engine.pool, tenantId, users);
			await addTenants(engine.pool, tenants);
			await engine.pool.query("vacuum analyze");
			const { rows } = await engine.pool.query<{ name: string; id: string }>(
				`select "name", "id" from "tenant" where "slug" = $1`,
				[`tenant-${tenants / 2}`],
			);
			const { name = "", id = "" } = rows[0] ?? {};
			const middle = Buffer.from(JSON.stringify([`tenant-${tenants / 2}`, id])).toString("base64");
			const queries: [title: string, path: string, query: Record<string, string>][] = [
				["the newest tenants", "list", {}],
				["many by slug", "list", { slug: "tenant-1" }],
				["many by slug, in the middle", "list", { slug: "tenant-", cursor: middle }],
				["one by slug", "list", { slug: `tenant-${tenants - 1}` }],
				["none by slug", "list", { slug: "nobody" }],
				["many by name", "list", { name: name.slice(0, 1) }],
				["one by name", "list", { name }],
				["none by name", "list", { name: "Nobody" }],
				["active tenants", "list", { status: "active" }],
				["suspended tenants, one of 1,000", "list", { status: "suspended" }],
				["archived tenants by name", "list", { status: "archived", name: name.slice(0, 1) }],
				["the users of the large tenant", "user/list", { tenantId }],
				["one of its users by email", "user/list", { tenantId, email: `person-${users - 1}@example.com` }],
			];
			const searches: Search[] = [];
			for (const [title, path, query] of queries) {
				const measured = await measureSearch(engine, title, { path: `/tenant/${path}`, query, requests });
				searches.push(measured);
				log(`${title}: ${measured.median} ms, 99 %: ${measured.p99} ms`);
			}
			return { tenants, users, requests, searches };
		} finally {
			await engine.close();
		}
	} finally {
		await postgres.close();
	}
};

const addTenants = async (pool: Pool, tenants: number): Promise<void> => {
	await pool.query(
		`insert into "tenant" ("id", "name", "slug", "status", "createdAt", "updatedAt")
		select md5('tenant ' || n), initcap(substr(md5('name ' || n), 1, 10)), 'tenant-' || n,
			case n % ${RARE} when 1 then 'suspended' when 2 then 'archived' else 'active' end,
			now() - make_interval(secs => n), now()
		from generate_series(1, $1::int - 1) n`,
		[tenants],
	);
};
