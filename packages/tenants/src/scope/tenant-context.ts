import { AsyncLocalStorage } from "node:async_hooks";
import { defineRequestState, getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import { BetterAuthError } from "@better-auth/core/error";
import { peekState, requestStateReady } from "../engine/request-state.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import { PLATFORM } from "./platform.ts";

const explicit = new AsyncLocalStorage<string>();

/**
 * Runs `fn` in the scope of a tenant, for jobs, scripts and server code without a request, or in another tenant than the
 * request. Everything that Better Auth reads and writes inside belongs to that tenant. It checks no permission.
 *
 * @example
 * ```ts
 * const users = await runWithTenant(tenantId, () => internalAdapter.listUsers(100));
 * ```
 */
export const runWithTenant = <Result>(tenantId: string, fn: () => Result): Result => {
	if (!isTenantId(tenantId))
		throw new BetterAuthError("runWithTenant: a tenant id is one string of 1 to 64 letters, digits, '-' and '_'");
	return explicit.run(tenantId, () => withOwnStore(tenantId, fn));
};

let transactions: Awaited<ReturnType<typeof getCurrentDBAdapterAsyncLocalStorage>> | undefined;
void getCurrentDBAdapterAsyncLocalStorage().then((found) => {
	transactions = found;
});

/**
 * The engine's store of the running transaction, for one tenant. Two tenants at work in one request each have their own: a
 * tenant's own adapter is put into it. What the engine puts off until a transaction commits runs outside of runWithTenant,
 * and has to run in its tenant too.
 */
const withOwnStore = <Result>(tenantId: string, fn: () => Result): Result => {
	const running = transactions?.getStore();
	if (!transactions || !running) return fn();
	if (!running.isTransactionActive) return transactions.run({ ...running }, fn);
	const pendingHooks = new Proxy(running.pendingHooks, {
		get: (hooks, name, receiver) =>
			name === "push"
				? (...added: (typeof hooks)[number][]) => hooks.push(...added.map((hook) => () => explicit.run(tenantId, hook)))
				: Reflect.get(hooks, name, receiver),
	});
	return transactions.run({ ...running, pendingHooks }, fn);
};

/** The tenant that runWithTenant names around this call, if any. */
export const explicitTenant = (): string | undefined => explicit.getStore();

type RequestScope = {
	tenantId: string;
	/** the HTTP request that was pinned; calls of auth.api may have none */
	request: Request | undefined;
	/** Rows this request has already seen inside its tenant, by a value that names them: what is proven is not asked again. */
	proven: Map<string, Proven[]>;
};

type Proven = { tenantId: string; model: string; field: string };

export type TenantContext = ReturnType<typeof createTenantContext>;

/**
 * Where a request's tenant is kept. The engine's request state carries it: one for each HTTP request or outermost
 * `auth.api` call, shared by everything that runs inside. It belongs to one plugin instance, so two engines in one
 * process do not see each other's tenants.
 */
export const createTenantContext = () => {
	const state = defineRequestState<RequestScope | null>(() => null);
	const pinned = (): RequestScope | null => peekState(state) ?? null;
	return {
		/** Awaited once, before the first request. */
		ready: (): Promise<void> => requestStateReady,
		/** The tenant of the running code; the platform where nobody named one. */
		current: (): string => explicit.getStore() ?? pinned()?.tenantId ?? PLATFORM,
		/** The tenant this request was pinned to, if it was. */
		ofRequest: (): string | null => pinned()?.tenantId ?? null,
		/** Pins the request. A request belongs to one tenant: a second, different pin is a bug in this plugin. */
		set: async (tenantId: string, request: Request | undefined): Promise<void> => {
			if (pinned()) throw new BetterAuthError("tenantAuth: a request cannot change its tenant");
			await state.set({ tenantId, request, proven: new Map() });
		},
		/** The HTTP request that was pinned. */
		request: (): Request | undefined => pinned()?.request,
		isProven: (tenantId: string, model: string, field: string, value: unknown): boolean =>
			isAmong(pinned()?.proven.get(String(value)), { tenantId, model, field }),
		prove: (tenantId: string, model: string, field: string, value: unknown): void => {
			const proven = pinned()?.proven;
			const known = proven?.get(String(value));
			if (!known) proven?.set(String(value), [{ tenantId, model, field }]);
			else if (!isAmong(known, { tenantId, model, field })) known.push({ tenantId, model, field });
		},
	};
};

const isAmong = (known: Proven[] | undefined, { tenantId, model, field }: Proven): boolean =>
	known?.some((row) => row.tenantId === tenantId && row.model === model && row.field === field) ?? false;
