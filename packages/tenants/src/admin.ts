export { type TenantRole, tenantRoles } from "./admin/roles.ts";
export { tenantAdmin } from "./admin/tenant-admin.ts";
export { INVITATION_ERROR_CODES } from "./invitations/error-codes.ts";
export type { InvitationPreview } from "./invitations/get-invitation.ts";
export type { Invitation } from "./invitations/invitation.ts";
export type { InvitationMail, InvitationOptions, InvitingTenant } from "./invitations/options.ts";
export { tenantInvitations } from "./invitations/tenant-invitations.ts";
