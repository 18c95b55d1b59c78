import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import type { EraseMore } from "../admin/erase-rows.ts";
import { createInvitationStore, type InvitationStore } from "./invitation-store.ts";
import type { ResolvedInvitationOptions } from "./options.ts";

/** What `tenantInvitations()` keeps on the context of Better Auth. */
export type InvitationServices = {
	options: ResolvedInvitationOptions;
	storeOf: (tenantId: string) => InvitationStore;
};

type WithInvitations = { tenantInvitations?: InvitationServices };

/** Creates the services when Better Auth starts. */
export const startInvitations = (context: AuthContext, options: ResolvedInvitationOptions): InvitationServices => {
	const tenants = tenantStoreOf({ context });
	return {
		options,
		storeOf: (tenantId) => createInvitationStore(tenantId, { adapter: context.adapter, tenants, limits: options }),
	};
};

/** The services of `tenantInvitations()`, or null if the plugin is not installed. */
/** Deletes what was sent to a user who is erased. */
export const eraseInvitations =
	({ storeOf }: InvitationServices): EraseMore =>
	async (tenantId, user) => {
		const tenantInvitation = await storeOf(tenantId).erase(user);
		return { tenantInvitation };
	};

export const findInvitations = (context: object): InvitationServices | null =>
	(context as WithInvitations).tenantInvitations ?? null;

/** The services of `tenantInvitations()`, in its own endpoints. */
export const invitationsOf = ({ context }: Pick<GenericEndpointContext, "context">): InvitationServices => {
	const found = findInvitations(context);
	if (!found) throw new BetterAuthError("tenantInvitations: the context of Better Auth was replaced");
	return found;
};
