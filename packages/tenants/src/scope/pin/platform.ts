/**
 * The tenant id of the platform: the scope of requests that name no tenant. Operators belong to it, and the users that an
 * application had before it added tenants. It is a reserved id and not null, because NULLs are never equal in a unique index.
 *
 * @example
 * ```ts
 * const isPlatformUser = session.user.tenantId === PLATFORM;
 * ```
 */
export const PLATFORM = "platform";
