import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import type { DatabaseKind } from "test-kit/databases";
import { type Answer, createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { type AuditEntry, type TenantAuthOptions, withTenants } from "../../../src/index.ts";
import { tenantLifecycle } from "../../../src/lifecycle.ts";

type Options = {
	database?: DatabaseKind;
	redis?: boolean;
	engine?: Partial<BetterAuthOptions>;
	tenants?: TenantAuthOptions;
};

type Change = { reason?: string; endSessions?: boolean };

/** Two tenants, and operators who can suspend, archive and restore them. */
export const lifecycleWorld = async (
	plugins: BetterAuthPlugin[] = [],
	{ tenants = {}, engine, ...where }: Options = {},
) => {
	const audited: AuditEntry[] = [];
	const world = await createWorld({
		...where,
		...(engine ? { engine } : {}),
		allPlugins: withTenants(
			{
				tenantCache: { maxAge: 60 },
				deletion: { drainTime: 0 },
				oauth: { allowPrivateHosts: true },
				...tenants,
				management: {
					keys: [MANAGEMENT_KEY],
					audit: (entry) => void audited.push(entry),
					...tenants.management,
				},
			},
			[tenantLifecycle(), ...plugins],
		),
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const operate =
		(verb: "suspend" | "archive" | "restore") =>
		(tenantId: string, { reason = "unpaid invoice", ...change }: Change = {}): Promise<Answer> =>
			world.call(`/tenant/${verb}`, { operator: true, body: { tenantId, reason, ...change } });
	const statusOf = async (tenantId: string): Promise<unknown> =>
		(await world.database.query(`select "status" from "tenant" where "id" = '${tenantId}'`))[0]?.status;
	return {
		...world,
		a,
		b,
		audited,
		suspend: operate("suspend"),
		archive: operate("archive"),
		restore: operate("restore"),
		statusOf,
	};
};

export type LifecycleWorld = Awaited<ReturnType<typeof lifecycleWorld>>;
