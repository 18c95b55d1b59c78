import type { Browser } from "test-kit/browser";
import { type Answer, type CallOptions, createWorld, MANAGEMENT_KEY, type WorldOptions } from "test-kit/world";
import type { AuditEntry, TenantAuthOptions } from "../../src/index.ts";

export const EMAIL = "ada@example.com";
export const REASON = "ticket 4711: Ada sees an empty page";

type ImpersonableWith = WorldOptions & { management?: NonNullable<TenantAuthOptions["management"]> };

/** Two tenants with an Ada each, an operator on the platform, impersonation turned on, and all audit entries. */
export const createImpersonable = async ({ management, tenantAuth, ...options }: ImpersonableWith = {}) => {
	const entries: AuditEntry[] = [];
	const operators: string[] = [];
	const world = await createWorld({
		...options,
		tenantAuth: {
			...tenantAuth,
			management: {
				keys: [MANAGEMENT_KEY],
				userIds: operators,
				audit: (entry) => void entries.push(entry),
				impersonation: {},
				...management,
			},
		},
	});
	const idOf = async (browser: Browser): Promise<string> =>
		(await world.call("/get-session", { browser })).json.user.id;
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const [ada, neighbor] = [await world.signUp(a, EMAIL), await world.signUp(b, EMAIL)];
	const operator = await world.signUp(undefined, "operator@example.com");
	const [adaId, neighborId, operatorId] = [await idOf(ada), await idOf(neighbor), await idOf(operator)];
	operators.push(operatorId);
	entries.length = 0;
	/** Calls with the management key by default. */
	const impersonate = (call: Omit<CallOptions, "body"> = { operator: true }, body: object = {}): Promise<Answer> =>
		world.call("/tenant/impersonate", { ...call, body: { tenantId: a, userId: adaId, reason: REASON, ...body } });
	return { world, entries, a, b, ada, neighbor, operator, adaId, neighborId, operatorId, impersonate };
};

/** Sends a session token in the header that the bearer plugin reads. */
export const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
