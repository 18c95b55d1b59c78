import { getCurrentAdapter } from "@better-auth/core/context";
import type { Session } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { assertTokenNamesTenant } from "../data/adapter.ts";
import { dropChosenId } from "../data/chosen-ids.ts";
import type { TenantContext } from "../pin/tenant-context.ts";
import type { DeactivatedUsers } from "./deactivated-users.ts";
import { assertMarkedAlike } from "./impersonated-session.ts";
import type { PendingSessions } from "./pending-sessions.ts";
import type { PlatformAccess } from "./platform-access.ts";
import { newSessionToken } from "./session-proof.ts";

/**
 * Options for Better Auth that put the tenant into every session, and give every user an id that no request chose.
 *
 * `createSession` replaces its random token with the default of the additional field, before hooks, database and
 * secondary storage receive it. A database hook would be too late for sessions that are stored only in secondary
 * storage.
 */
export const tenantSessions = (
	pin: TenantContext,
	adapter: DBAdapter,
	access: Pick<PlatformAccess, "assertSignIn">,
	pending: Pick<PendingSessions, "currentProof" | "onCreate">,
	deactivated: Pick<NonNullable<DeactivatedUsers>, "refuseSession"> | null,
	perUser: { begin: (session: Session) => void; created: (session: Session) => Promise<void> },
) => ({
	session: {
		additionalFields: {
			token: {
				type: "string" as const,
				required: true,
				unique: true,
				input: false,
				defaultValue: () => newSessionToken(pin.current(), pending.currentProof()),
			},
		},
	},
	databaseHooks: {
		user: { create: { before: dropChosenId(pin) } },
		session: {
			create: {
				before: async (session: Session & { operatorId?: unknown }) => {
					access.assertSignIn();
					assertTokenNamesTenant(session.token, pin.current());
					assertMarkedAlike(session.token, session.operatorId);
					await assertUserInTenant(await getCurrentAdapter(adapter), pin, session.userId);
					perUser.begin(session);
					return { data: { ...session, ...(await pending.onCreate(session)), tenantId: pin.current() } };
				},
				after: async (session: Session) => {
					await deactivated?.refuseSession(session);
					await perUser.created(session);
				},
			},
		},
	},
});

/** The scoped adapter does not check the references of sessions that are stored only in secondary storage. */
const assertUserInTenant = async (
	adapter: Pick<DBAdapter, "findOne">,
	pin: TenantContext,
	userId: string,
): Promise<void> => {
	if (pin.isProven(pin.current(), "user", "id", userId)) return;
	const user = await adapter.findOne({ model: "user", where: [{ field: "id", value: userId }], select: ["id"] });
	if (!user) throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.REFERENCE_NOT_IN_TENANT);
};
