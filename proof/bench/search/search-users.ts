import { admin } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import { tenantAdmin, tenantRoles } from "better-auth-tenants/admin";
import { startPostgres } from "test-kit/servers/postgres-server";
import { fillTenant, startTenant } from "../deletion/fill-tenant.ts";
import { MANAGEMENT_KEY, startEngine } from "../stage/engine.ts";
import { quantile, round } from "../stage/statistics.ts";

export type SearchResult = {
	/** of the tenant, and of another one */
	users: number;
	requests: number;
	searches: { name: string; found: number; statements: number; median: number; p99: number }[];
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
				const path = `/tenant/user/list?${new URLSearchParams({ tenantId, ...query })}`;
				const times: number[] = [];
				let found = 0;
				let statements = 0;
				// the first tenth compiles everything and fills the caches
				for (let number = -requests / 10; number < requests; number += 1) {
					const before = engine.sent.statements;
					const began = performance.now();
					const { text } = await engine.call(path, { operator: true });
					if (number >= 0) times.push(performance.now() - began);
					found = (JSON.parse(text) as unknown[]).length;
					statements = engine.sent.statements - before;
				}
				const [median, p99] = [round(quantile(times, 0.5), 2), round(quantile(times, 0.99), 2)];
				searches.push({ name: title, found, statements, median, p99 });
				log(`${title}: ${median} ms, 99 %: ${p99} ms`);
			}
			return { users, requests, searches };
		} finally {
			await engine.close();
		}
	} finally {
		await postgres.close();
	}
};
