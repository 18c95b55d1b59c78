import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { withTenants } from "better-auth-tenants";
import type { Browser } from "./browser.ts";
import type { DatabaseKind } from "./databases.ts";
import { type Answer, type CallOptions, createWorld, MANAGEMENT_KEY } from "./world.ts";

type ComposedOptions = { database?: DatabaseKind; redis?: boolean; engine?: Partial<BetterAuthOptions> };

/** A Better Auth instance whose plugins are composed with tenants, with two tenants. */
export const composedWorld = async (plugins: BetterAuthPlugin[], { engine, ...where }: ComposedOptions = {}) => {
	const world = await createWorld({
		...where,
		...(engine ? { engine } : {}),
		allPlugins: withTenants(
			{ management: { keys: [MANAGEMENT_KEY] }, tenantCache: { maxAge: 60 }, deletion: { drainTime: 0 } },
			plugins,
		),
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	/** Calls and expects a 200. */
	const ok = async (path: string, options: CallOptions = {}): Promise<Answer> => {
		const answer = await world.call(path, options);
		if (answer.status >= 400) throw new Error(`${path} ${answer.status} ${answer.text}`);
		return answer;
	};
	const tenantsOf = async (table: string): Promise<string[]> =>
		(await world.database.query(`select "tenantId" from "${table}"`)).map(({ tenantId }) => String(tenantId)).sort();
	const whoami = async (browser: Browser) => (await ok("/get-session", { browser })).json;
	/** The tables that still have rows of this tenant. */
	const tablesWith = async (tenantId: string): Promise<string[]> => {
		const { tables } = await world.auth.$context;
		const found: string[] = [];
		for (const { modelName, fields } of Object.values(tables)) {
			if (fields.tenantId && (await tenantsOf(modelName)).includes(tenantId)) found.push(modelName);
		}
		return found;
	};
	return { ...world, a, b, ok, tenantsOf, whoami, tablesWith };
};
