import { BetterAuthError } from "@better-auth/core/error";
import { positive } from "../../load/limits/option-values.ts";
import type { TenantRole } from "../users/roles.ts";

/**
 * An invitation that is about to be sent.
 *
 * @example
 * ```ts
 * const subjectOf = ({ tenant, inviter }: InvitationMail) => `${inviter?.name ?? "An operator"} invites you to ${tenant.name}`;
 * ```
 */
export type InvitationMail = {
	/** The address to send it to. */
	email: string;
	/** The role that the user gets. */
	role: TenantRole;
	/** Your page that accepts invitations, with the token in its query. */
	url: string;
	/** The token. It names its tenant. Send it to this address only, and do not log it. */
	token: string;
	/** When the link stops working. */
	expiresAt: Date;
	/** The tenant that the user is invited to. */
	tenant: InvitingTenant;
	/** The user who invites. Null if an operator does. Users choose their names: escape them. */
	inviter: { name: string; email: string } | null;
};

/**
 * The tenant that a user is invited to.
 *
 * @example
 * ```ts
 * const acceptURL = ({ slug }: InvitingTenant) => `https://${slug}.app.example.com/invitation`;
 * ```
 */
export type InvitingTenant = {
	/** The id of the tenant. */
	id: string;
	/** The display name. */
	name: string;
	/** The name for URLs. */
	slug: string;
};

/**
 * Options of `tenantInvitations()`.
 *
 * @example
 * ```ts
 * tenantInvitations({
 * 	acceptURL: "https://app.example.com/invitation",
 * 	sendInvitation: async ({ email, url, tenant }) => sendMail(email, `Join ${tenant.name}`, url),
 * });
 * ```
 */
export type InvitationOptions = {
	/**
	 * Sends an invitation. The request waits for it: move slow work to a queue. If it throws, the invitation stays and the
	 * request returns 503 `INVITATION_NOT_SENT`.
	 */
	sendInvitation: (mail: InvitationMail) => void | Promise<void>;
	/**
	 * Your page that accepts invitations. `token` is added to its query. Use a function if tenants have their own hosts.
	 */
	acceptURL: string | ((tenant: InvitingTenant) => string);
	/**
	 * Seconds until an invitation expires, 60 to 2,592,000 (30 days).
	 * @default 172800 (2 days)
	 */
	expiresIn?: number;
	/**
	 * The most open invitations of a tenant. Bounds the list, which has no pages.
	 * @default 1000
	 */
	maxOpen?: number;
	/**
	 * The most mails that one address gets from one tenant in 24 hours, also if the invitation is revoked and created again.
	 * @default 3
	 */
	mailsPerAddress?: number;
	/**
	 * The most addresses that one tenant sends invitations to in 24 hours.
	 * @default 500
	 */
	addressesPerTenant?: number;
};

export type ResolvedInvitationOptions = Required<InvitationOptions>;

const MAX_AGE = 2_592_000;

/** Checks the options and adds the defaults. */
export const resolveInvitationOptions = (given: InvitationOptions): ResolvedInvitationOptions => {
	const { sendInvitation, acceptURL, expiresIn = 172_800 } = given;
	if (typeof sendInvitation !== "function")
		throw new BetterAuthError("tenantInvitations: sendInvitation is not set. Pass a function that sends the mail.");
	if (typeof acceptURL !== "function" && !isWebURL(acceptURL))
		throw new BetterAuthError(
			"tenantInvitations: acceptURL is not an http or https URL. Set the URL of your page that accepts invitations.",
		);
	if (!Number.isInteger(expiresIn) || expiresIn < 60 || expiresIn > MAX_AGE)
		throw new BetterAuthError(`tenantInvitations: expiresIn must be a whole number of seconds, 60 to ${MAX_AGE}.`);
	return {
		sendInvitation,
		acceptURL,
		expiresIn,
		maxOpen: positive("tenantInvitations.maxOpen", given.maxOpen ?? 1_000),
		mailsPerAddress: positive("tenantInvitations.mailsPerAddress", given.mailsPerAddress ?? 3),
		addressesPerTenant: positive("tenantInvitations.addressesPerTenant", given.addressesPerTenant ?? 500),
	};
};

const isWebURL = (value: unknown): boolean => {
	const url = typeof value === "string" ? URL.parse(value) : null;
	return url !== null && (url.protocol === "https:" || url.protocol === "http:");
};
