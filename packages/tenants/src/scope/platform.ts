/**
 * The scope of requests without a tenant: operators, and users from before the application had tenants. A reserved id
 * instead of null, because the engine's unique indexes reject nullable columns, and two NULLs never collide in SQL.
 */
export const PLATFORM = "platform";
