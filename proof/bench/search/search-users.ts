import { admin } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import { tenantAdmin, tenantRoles } from "better-auth-tenants/admin";
import { startPostgres } from "test-kit/servers/postgres-server";
import { fillTenant, startTenant } from "../deletion/fill-tenant.ts";
import { MANAGEMENT_KEY, startEngine } from "../stage/engine.ts";
import { measureSearch, type Search } from "./measure-search.ts";

export type SearchResult = {
	/** of the tenant, and of another one */
	users: number;
	requests: number;
	searches: Search[];
};

type Sizes = { users: number; requests: number; log: (line: string) => void };

/** Searches the users of a large tenant beside another large one, in this process, without a network to the client. */
export const searchUsers = async ({ users, requests, log }: Sizes): Promise<SearchResult> => {
	const postgres = await startPostgres();
	try {
		const management = { keys: [MANAGEMENT_KEY] };
		const engine = await startEngine({
			postgres: postgres.url,
			database: "search",
			hashing: "cheap",
			tenants: null,
			plugins: withTenants({ management }, [admin({ ...tenantRoles }), tenantAdmin()]),
		});
		try {
			const [tenantId, other] = [await startTenant(engine, "large"), await startTenant(engine, "other")];
			for (const id of [tenantId, other]) await fillTenant(engine.pool, id, users);
			await engine.pool.query(`update "user" set "name" = initcap(substr(md5("email"), 1, 10))`);
			await engine.pool.query("vacuum analyze");
			const last = `person-${users - 1}@example.com`;
			const { rows } = await engine.pool.query<{ id: string; name: string }>(
				`select "id", "name" from "user" where "tenantId" = $1 and "email" = $2`,
				[tenantId, last],
			);
			const { id = "", name = "" } = rows[0] ?? {};
			const middle = Buffer.from(JSON.stringify([`person-${users / 2}@example.com`, id])).toString("base64");
			const queries: [name: string, query: Record<string, string>][] = [
				["the first page", {}],
				["a page in the middle", { cursor: middle }],
				["many by email", { email: "person-1" }],
				["one by email", { email: last }],
				["none by email", { email: "nobody" }],
				["many by name", { name: name.slice(0, 1) }],
				["one by name", { name }],
				["none by name", { name: "Nobody" }],
			];
			const searches: SearchResult["searches"] = [];
			for (const [title, query] of queries) {
				const search = { path: "/tenant/user/list", query: { tenantId, ...query }, requests };
				const measured = await measureSearch(engine, title, search);
				searches.push(measured);
				log(`${title}: ${measured.median} ms, 99 %: ${measured.p99} ms`);
			}
			return { users, requests, searches };
		} finally {
			await engine.close();
		}
	} finally {
		await postgres.close();
	}
};
