import { createTenantHandler } from "better-auth-tenants";

type Auth = Parameters<typeof createTenantHandler>[0];

/**
 * The same instance, served by `createTenantHandler`. With TEST_HANDLER=engine its own handler serves it: applications may use
 * either, so the suite runs with both.
 */
export const served = <Served extends Auth>(auth: Served, createHandler = createTenantHandler): Served =>
	process.env.TEST_HANDLER === "engine" ? auth : { ...auth, handler: createHandler(auth) };
