import { AsyncLocalStorage } from "node:async_hooks";
import { runWithTenant } from "better-auth-tenants";

const acting = new AsyncLocalStorage<true>();

/** Runs `work` inside a tenant, for an operator who may manage it. Check that before. */
export const actForTenant = <Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> =>
	acting.run(true, () => runWithTenant(tenantId, work));

/** Whether the current call was made by `actForTenant`. */
export const isActingForTenant = (): boolean => acting.getStore() === true;

/** `auth.api`, which exists only after the plugins. */
export type ServerApi = () => object;

/**
 * Calls an endpoint of `auth.api` by name, because the types do not contain the endpoints of configured plugins. Returns the
 * object that the endpoint returns, or null.
 */
export const callApi = async (api: ServerApi, name: string, input: object): Promise<Record<string, unknown> | null> => {
	const endpoint: unknown = Reflect.get(api(), name);
	if (typeof endpoint !== "function") throw new Error(`Better Auth has no endpoint ${name}`);
	const returned: unknown = await Reflect.apply(endpoint, undefined, [input]);
	return isObject(returned) ? returned : null;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
