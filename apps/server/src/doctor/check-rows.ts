import { PLATFORM } from "better-auth-tenants";
import type { Pool, PoolClient } from "pg";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { inReadOnly } from "./read-only.ts";

const { ok, warning, notChecked } = findingsOf("rows");

/** Each has an index that starts with the tenant. */
const TABLES = ["user", "session", "account", "verification"] as const;

/** Looks for rows of deleted tenants and for interrupted deletions. */
export const checkRows = async (pool: Pool | null): Promise<Finding[]> => {
	if (!pool) return [notChecked("the database is not configured")];
	try {
		return await inReadOnly(pool, async (client) => {
			const findings = [...(await findOrphans(client)), ...(await findCutOff(client))];
			return findings.length > 0 ? findings : [ok("Every row belongs to a tenant, and no deletion was interrupted")];
		});
	} catch (error) {
		return [notChecked(`the database could not be queried: ${describeFailure(error).says}`)];
	}
};

/** Skips from tenant to tenant through the index. The number of steps depends on the tenants, not on their users. */
const orphansIn = (table: string): string => `with recursive held as (
	(select "tenantId" from "${table}" order by "tenantId" limit 1)
	union all
	select (select "tenantId" from "${table}" where "tenantId" > held."tenantId" order by "tenantId" limit 1)
	from held where held."tenantId" is not null
)
select count(*)::int as orphans from held
where "tenantId" is not null and "tenantId" <> '${PLATFORM}'
	and not exists (select from "tenant" where "tenant"."id"::text = held."tenantId")`;

const findOrphans = async (client: PoolClient): Promise<Finding[]> => {
	const findings: Finding[] = [];
	for (const table of TABLES) {
		const { rows } = await client.query<{ orphans: number }>(orphansIn(table));
		const orphans = rows[0]?.orphans ?? 0;
		if (orphans > 0)
			findings.push(
				warning(
					`Table ${table} has unreachable rows of ${orphans} tenants that no longer exist`,
					`Back up, then run: delete from "${table}" where "tenantId" <> '${PLATFORM}' and not exists (select from "tenant" where id = "tenantId")`,
				),
			);
	}
	return findings;
};

const findCutOff = async (client: PoolClient): Promise<Finding[]> => {
	const { rows } = await client.query<{ id: string }>(
		`select "id"::text as id from "tenant" where "status" = 'deleting' and "updatedAt" < now() - interval '1 hour' order by "id" limit 11`,
	);
	if (rows.length === 0) return [];
	const ids = rows.slice(0, 10).map(({ id }) => id);
	return [
		warning(
			`The deletion was interrupted for ${ids.join(", ")}${rows.length > 10 ? " and others" : ""}: they are closed, but rows are left`,
			"Run `tenants tenant delete ID --yes` for each.",
		),
	];
};
