import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import { isBanned } from "../../engine/banned-user.ts";
import { orIllTyped } from "../../scope/tenants/known-tenants.ts";
import { roleOf, type TenantRole } from "./roles.ts";

/** A stored user, with the columns of the plugins that are configured. */
export type UserRow = {
	id: string;
	email: string;
	emailVerified: boolean;
	name: string;
	image?: string | null;
	role?: string | null;
	banned?: boolean | null;
	banReason?: string | null;
	banExpires?: Date | null;
	twoFactorEnabled?: boolean | null;
	rightsEpoch?: string | null;
	createdAt: Date;
	updatedAt: Date;
};

/**
 * A user of a tenant, as the administration returns them.
 *
 * @example
 * ```ts
 * const users: TenantUser[] = await auth.api.listTenantUsers({ query: { tenantId } });
 * ```
 */
export type TenantUser = {
	/** The id of the user. */
	id: string;
	/** The email. */
	email: string;
	/** Whether the email is verified. */
	emailVerified: boolean;
	/** The display name. */
	name: string;
	/** The URL of a picture. */
	image: string | null;
	/** The role in the tenant. */
	role: TenantRole;
	/** Whether the user is banned now. */
	banned: boolean;
	/** Why the user is banned. */
	banReason: string | null;
	/** When the ban ends. Null if it does not end. */
	banExpires: Date | null;
	/** Whether the user has a second factor. */
	twoFactorEnabled: boolean;
	/** When the user was created. */
	createdAt: Date;
	/** When the user was last changed. */
	updatedAt: Date;
};

/** Selects the fields that the API returns. */
export const showUser = (user: UserRow): TenantUser => {
	const banned = isBanned(user);
	return {
		id: user.id,
		email: user.email,
		emailVerified: user.emailVerified,
		name: user.name,
		image: user.image ?? null,
		role: roleOf(user.role),
		banned,
		banReason: banned ? (user.banReason ?? null) : null,
		banExpires: banned ? (user.banExpires ?? null) : null,
		twoFactorEnabled: user.twoFactorEnabled === true,
		createdAt: user.createdAt,
		updatedAt: user.updatedAt,
	};
};

/** Finds a user of the current tenant. An id of a type that the database does not use finds none. */
export const findUser = async (
	{ context }: Pick<GenericEndpointContext, "context">,
	id: string,
): Promise<UserRow | null> => {
	const adapter = await getCurrentAdapter(context.adapter);
	return adapter.findOne<UserRow>({ model: "user", where: [{ field: "id", value: id }] }).catch(orIllTyped);
};

const text = { type: "string" as const };
const time = { type: "string" as const, format: "date-time", nullable: true };

/** The OpenAPI schema of `TenantUser`. */
export const userOpenAPI = {
	type: "object" as const,
	properties: {
		id: { ...text, description: "User id" },
		email: { ...text, description: "Email" },
		emailVerified: { type: "boolean" as const, description: "Whether the email is verified" },
		name: { ...text, description: "Display name" },
		image: { ...text, nullable: true, description: "URL of a picture" },
		role: { ...text, enum: ["owner", "admin", "member"], description: "Role in the tenant" },
		banned: { type: "boolean" as const, description: "Whether the user is banned now" },
		banReason: { ...text, nullable: true, description: "Why the user is banned" },
		banExpires: { ...time, description: "When the ban ends. Null if it does not end" },
		twoFactorEnabled: { type: "boolean" as const, description: "Whether the user has a second factor" },
		createdAt: { ...text, format: "date-time", description: "When the user was created" },
		updatedAt: { ...text, format: "date-time", description: "When the user was last changed" },
	},
	required: ["id", "email", "emailVerified", "name", "role", "banned", "twoFactorEnabled", "createdAt", "updatedAt"],
};

/** The OpenAPI responses of an endpoint that returns one user. */
export const userResponse = (description: string) => ({
	"200": { description, content: { "application/json": { schema: userOpenAPI } } },
});
