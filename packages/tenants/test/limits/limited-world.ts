import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { createWorld, MANAGEMENT_KEY, type World, type WorldOptions } from "test-kit/world";
import * as z from "zod";
import type { TenantAuthOptions } from "../../src/index.ts";

export const ada = "ada@example.com";

/** A world with limits and two tenants. */
export const createLimited = async (limits: NonNullable<TenantAuthOptions["limits"]>, more: WorldOptions = {}) => {
	const world = await createWorld({
		...more,
		engine: { ...more.engine, rateLimit: { enabled: true } },
		tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, limits },
	});
	const newTenant = async (slug: string) => (await world.auth.api.createTenant({ body: { name: slug, slug } })).id;
	return { world, a: await newTenant("acme"), b: await newTenant("globex") };
};

/** Never repeats: the engine counts addresses once for the whole process. */
let addresses = 0;
export const newAddress = (): string => {
	addresses += 1;
	return `10.7.${Math.floor(addresses / 250)}.${addresses % 250}`;
};

type Call = Parameters<World["call"]>[1];
/** Sends a request from a new address. */
export const knock = (world: World, path: string, call: Call = {}) =>
	world.call(path, { ...call, headers: { ...call?.headers, "x-forwarded-for": newAddress() } });

export const signIn = async (world: World, tenant: string, email: string, path = "/sign-in/email", more: object = {}) =>
	knock(world, path, { tenant, body: { email, password: "wrong horse battery", ...more } });

export const statuses = async (times: number, send: () => Promise<{ status: number }>): Promise<number[]> => {
	const seen: number[] = [];
	for (let number = 0; number < times; number += 1) seen.push((await send()).status);
	return seen;
};

/** Of a plugin that the table of endpoints does not list: it may read any name. */
export const unlisted = {
	id: "unlisted",
	endpoints: {
		guess: createAuthEndpoint("/unlisted/guess", { method: "POST", body: z.looseObject({}) }, async () => ({})),
	},
} satisfies BetterAuthPlugin;
