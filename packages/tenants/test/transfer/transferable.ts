import { type CallOptions, createWorld, MANAGEMENT_KEY, type World, type WorldOptions } from "test-kit/world";
import type { AuditEntry, ExportedUser, TenantAuthOptions } from "../../src/index.ts";

export type TransferWith = WorldOptions & { management?: NonNullable<TenantAuthOptions["management"]> };

/** The form of the cheap hash in tests. */
const isCheapHash = (hash: string): boolean => /^[0-9a-f]{64}$/.test(hash);

/** Options that enable transfer. */
export const transferring = (
	entries: AuditEntry[],
	{ management, tenantAuth, realHash }: TransferWith = {},
): TenantAuthOptions => ({
	...(realHash ? {} : { transfer: { acceptsPasswordHash: isCheapHash } }),
	...tenantAuth,
	management: {
		keys: [MANAGEMENT_KEY],
		transfer: true,
		audit: (entry) => void entries.push(entry),
		...management,
	},
});

/** A deployment with transfer enabled, and every audit entry. */
export const createTransferable = async (options: TransferWith = {}) => {
	const entries: AuditEntry[] = [];
	const world = await createWorld({ ...options, tenantAuth: transferring(entries, options) });
	const importUsers = (tenantId: string, users: unknown[]) =>
		world.call("/tenant/import-users", { operator: true, body: { tenantId, users } });
	const importTenant = (body: object) => world.call("/tenant/import", { operator: true, body });
	const usersOf = (tenantId: string) =>
		world.database.query(`select * from "user" where "tenantId" = '${tenantId}' order by "email"`);
	const accountsOf = (tenantId: string) =>
		world.database.query(`select * from "account" where "tenantId" = '${tenantId}' order by "providerId", "accountId"`);
	return { world, entries, importUsers, importTenant, usersOf, accountsOf };
};

export type Transferable = Awaited<ReturnType<typeof createTransferable>>;

/** Every page of an export, as a command line reads them. */
export const exportUsers = async (
	world: Pick<World, "call">,
	tenantId: string,
	limit = 500,
): Promise<ExportedUser[][]> => {
	const pages: ExportedUser[][] = [];
	let next: string | undefined = `/tenant/export-users?tenantId=${tenantId}&limit=${limit}`;
	while (next) {
		const page = await world.call(next, { operator: true });
		if (page.status !== 200) throw new Error(`no export: ${page.text}`);
		pages.push(JSON.parse(page.text));
		next = page.headers.get("link")?.match(/^<([^>]+)>; rel="next"$/)?.[1];
	}
	return pages;
};

/** A user from another system. */
export const userNamed = (name: string, more: object = {}) => ({
	email: `${name}@example.com`,
	name,
	accounts: [{ providerId: "credential", password: "a".repeat(64) }],
	...more,
});

/** The three transfer endpoints with their audit actions. */
export const ways = (tenantId: string): [AuditEntry["action"], string, CallOptions][] => [
	["user:export", "/tenant/export-users", { query: { tenantId } }],
	["user:import", "/tenant/import-users", { body: { tenantId, users: [userNamed("planted")] } }],
	["tenant:import", "/tenant/import", { body: { id: tenantId, name: "Planted", slug: "planted" } }],
];

const TABLES = ["tenant", "user", "account", "session"];

/** Every row that a transfer may change. */
export const stored = (world: World) =>
	Promise.all(TABLES.map((table) => world.database.query(`select * from "${table}" order by "id"`)));
