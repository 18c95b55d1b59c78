import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import { BetterAuthError } from "@better-auth/core/error";
import { requestStateReady } from "../../engine/request-state.ts";
import { defineService } from "../../engine/service.ts";
import { defineCallPart } from "../../lib/call.ts";
import { isTenantId } from "../../resolve/tenant-id.ts";
import { PLATFORM } from "./platform.ts";
import { definePart } from "./request-record.ts";

/** `isKnown`: the code that set the tenant has checked it, or reads nothing in a tenant that does not exist. */
type ExplicitScope = { tenantId: string; isKnown: boolean };

const explicit = defineCallPart<ExplicitScope>();

/** Runs `fn` in a tenant that is checked whenever the database or storage is used. See features/tenants/run-with-tenant.ts. */
export const runInTenant = <Result>(tenantId: string, fn: () => Result): Result => {
	if (!isTenantId(tenantId))
		throw new BetterAuthError(
			"runWithTenant: a tenant id must be a string of 1 to 64 letters, digits, '-' and '_'. For a slug, use runWithTenant({ auth, slug }, fn).",
		);
	return enter({ tenantId, isKnown: false }, fn);
};

/** Runs `fn` in a tenant without checking it. For code of this package that has read the tenant, or only looks. */
export const runInKnownTenant = <Result>(tenantId: string, fn: () => Result): Result =>
	enter({ tenantId, isKnown: true }, fn);

const enter = <Result>(scope: ExplicitScope, fn: () => Result): Result =>
	explicit.run(scope, () => withOwnStore(scope, fn));

let transactions: Awaited<ReturnType<typeof getCurrentDBAdapterAsyncLocalStorage>> | undefined;
void getCurrentDBAdapterAsyncLocalStorage().then((found) => {
	transactions = found;
});

/**
 * Copies the engine's transaction store for one tenant, because the store contains the tenant's adapter. Two tenants in
 * one request need separate stores. Hooks that the engine runs after the commit run outside of `runWithTenant`, so they
 * are wrapped to run in the tenant.
 */
const withOwnStore = <Result>(scope: ExplicitScope, fn: () => Result): Result => {
	const running = transactions?.getStore();
	if (!transactions || !running) return fn();
	if (!running.isTransactionActive) return transactions.run({ ...running }, fn);
	const pendingHooks = new Proxy(running.pendingHooks, {
		get: (hooks, name, receiver) =>
			name === "push"
				? (...added: (typeof hooks)[number][]) => hooks.push(...added.map((hook) => () => explicit.run(scope, hook)))
				: Reflect.get(hooks, name, receiver),
	});
	return transactions.run({ ...running, pendingHooks }, fn);
};

/** The tenant of the surrounding `runWithTenant`, if any. */
export const explicitTenant = (): string | undefined => explicit.now()?.tenantId;

/** The tenant of the surrounding `runWithTenant`, if it must be checked before it is used. */
export const uncheckedTenant = (): string | undefined => {
	const scope = explicit.now();
	return scope && !scope.isKnown ? scope.tenantId : undefined;
};

type RequestScope = {
	tenantId: string;
	/** the pinned HTTP request; calls of `auth.api` may have none */
	request: Request | undefined;
	/** a call of `auth.api` with neither request nor headers */
	isServerCode: boolean;
	/**
	 * Rows that this request has already read in its tenant, by a value that identifies them. They are not checked again.
	 */
	proven: Map<string, Proven[]>;
};

type Called = { request?: Request | undefined; headers?: Headers | undefined };

type Proven = { tenantId: string; model: string; field: string };

export type TenantContext = ReturnType<typeof createTenantContext>;

/** The tenant of the request. */
export const pinOf = defineService<TenantContext>("pin");

/**
 * Keeps the tenant of a request. Each HTTP request or outermost `auth.api` call has one record, shared by everything that
 * runs inside. This part belongs to one plugin instance, so two instances of Better Auth in one process do not share tenants.
 */
export const createTenantContext = () => {
	const part = definePart<{ scope: RequestScope | null }>(() => ({ scope: null }));
	const pinned = (): RequestScope | null => part.peek()?.scope ?? null;
	return {
		/** Await this once, before the first request. */
		ready: (): Promise<void> => requestStateReady,
		/** The tenant of the running code, or the platform if there is none. */
		current: (): string => explicitTenant() ?? pinned()?.tenantId ?? PLATFORM,
		/** The tenant that this request is pinned to, or null. */
		ofRequest: (): string | null => pinned()?.tenantId ?? null,
		/** Pins the request. A request belongs to one tenant, so a second call is a bug in this plugin. */
		set: (tenantId: string, { request, headers }: Called): void => {
			const known = part.now();
			if (!known) throw new BetterAuthError("tenantAuth: only a request has a tenant");
			if (known.scope) throw new BetterAuthError("tenantAuth: a request cannot change its tenant");
			known.scope = { tenantId, request, isServerCode: !request && !headers, proven: new Map() };
		},
		/** Whether no caller from outside is involved: there is no request, or server code set the tenant itself. */
		isServerCode: (): boolean => explicit.now() !== undefined || (pinned()?.isServerCode ?? true),
		/** The pinned HTTP request. */
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
