import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Session } from "@better-auth/core/db";
import { defineService } from "../../engine/service.ts";
import { sha256Text } from "../../lib/sha256.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { type Claims, claimVerifications } from "../move/claimed-verifications.ts";
import { verificationEndOf } from "../move/end-verifications.ts";
import { oneOf } from "../move/moving-rows.ts";
import { userTablesOf } from "../move/user-tables.ts";
import { linksEndOf } from "../unproven/ended-links.ts";
import type { UserRow } from "../users/user.ts";

/** Deletes rows about a user that do not refer to them. Returns how many, by table. Call it in the scope of the tenant. */
export type EraseMore = (tenantId: string, user: UserRow) => Promise<Record<string, number>>;

/** What a companion erases with a user. */
export const eraseMoreOf = defineService<EraseMore>("eraseMore");

/** Tables whose rows belong to the tenant and forget the user. */
const RELEASED = new Set(["ssoProvider", "oauthClient"]);

/** Deletes the rows of a user in all tables, and counts them. For a transaction. The user comes last. */
export const eraseRows = async (
	ctx: GenericEndpointContext,
	user: UserRow & { phoneNumber?: unknown },
	sessions: Session[],
): Promise<{ rows: Record<string, number>; claims: Claims }> => {
	const adapter = await getCurrentAdapter(ctx.context.adapter);
	const claims = await withMarks(
		await claimVerifications(
			[{ id: user.id, email: user.email, phoneNumber: user.phoneNumber }],
			sessions.map(({ token }) => token),
		),
		user.id,
	);
	const rows: Record<string, number> = {};
	for (const { key, links } of userTablesOf(ctx)) {
		const fields = key === "user" ? ["id"] : links.filter(({ model }) => model === "user").map(({ field }) => field);
		for (const field of fields) {
			const query = { model: key, where: [oneOf(field, [user.id])] };
			const count = RELEASED.has(key)
				? await adapter.updateMany({ ...query, update: { [field]: null } })
				: await adapter.deleteMany(query);
			if (count > 0) rows[key] = (rows[key] ?? 0) + count;
		}
	}
	const more = await eraseMoreOf.find(ctx)?.(pinOf(ctx).current(), user);
	for (const [key, count] of Object.entries(more ?? {})) if (count > 0) rows[key] = count;
	return { rows, claims };
};

/** Also claims the verifications of this package that name the user. Other ends of a user's verifications must keep them. */
const withMarks = async (claims: Claims, userId: string): Promise<Claims> => {
	const named = [linksEndOf(userId)];
	const marks = [...named, ...(await Promise.all(named.map(sha256Text)))];
	return {
		...claims,
		identifiers: [...claims.identifiers, ...marks],
		isClaimed: (verification) => marks.includes(verification.identifier) || claims.isClaimed(verification),
	};
};

/** Deletes the open verifications of a user, in the database and in the storage, and counts them. */
export const eraseVerifications = (ctx: GenericEndpointContext, tenantId: string, claims: Claims): Promise<number> =>
	verificationEndOf(ctx).all(tenantId, claims);
