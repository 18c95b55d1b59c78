/**
 * The scope of requests that name no tenant: operators, and the users an application had before.
 * A reserved id and not a null, because unique indexes refuse nullable columns (and NULLs never collide in SQL).
 */
export const PLATFORM = "platform";
