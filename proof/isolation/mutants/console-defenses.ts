import type { Defense } from "./defense.ts";

const GUARD = {
	caughtBy: "tests" as const,
	files: ["test/management/guard-management.security.test.ts"],
	named: "guards an action about all tenants",
	threats: [128],
};
const SEARCH = { caughtBy: "tests" as const, files: ["test/tenants/search.test.ts"], threats: [128] };

/** What a console shows of tenants, it shows to those who may see it. */
export const CONSOLE_DEFENSES: Defense[] = [
	{
		id: "console-malformed-target",
		name: "A malformed tenant id stands for all tenants",
		file: "features/management/guard-management.ts",
		find: "isRequired || isNamed ? requireTarget(targetId) : targetId",
		replace: "isRequired ? requireTarget(targetId) : isNamed ? targetId : targetId",
		...GUARD,
	},
	{
		id: "console-operators-only",
		name: "`authorize` is asked about an endpoint for operators only",
		file: "features/management/guard-management.ts",
		find: "\t\t\toperatorsOnly,\n",
		replace: "\t\t\toperatorsOnly: operatorsOnly && isRequired,\n",
		...GUARD,
	},
	{
		id: "console-search-deleted",
		name: "The search finds tenants that are being deleted",
		file: "scope/tenants/tenant-store.ts",
		find: "where: [listed(status)],",
		replace: "where: status ? [listed(status)] : [],",
		...SEARCH,
		named: "finds tenants of one status",
	},
	{
		id: "console-search-is-managed",
		name: "Anybody can search tenants",
		file: "features/tenants/list-tenants.ts",
		find: 'use: [management.guard({ action: "tenant:list", target: "none" })],',
		replace: "use: management ? [] : [],",
		...SEARCH,
		named: "searches for operators only",
	},
	{
		id: "console-status-needs-lifecycle",
		name: "A list of suspended tenants is empty where nothing knows which are",
		file: "features/tenants/list-tenants.ts",
		find: "if (hasLifecycle(context.tables)) return;",
		replace: "if (hasLifecycle(context.tables) || context) return;",
		...SEARCH,
		named: "knows no status without",
	},
];
