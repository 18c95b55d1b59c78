import { body, link, management, query, type Row } from "./row.ts";

const ofMember = ({ tenantId, member: { id } }: { tenantId: string; member: { id: string } }) => ({
	tenantId,
	userId: id,
});

/** Every HTTP endpoint of the companions of tenantAuth(), in the order of a user's life. */
export const COMPANION_SURFACE: Record<string, Row> = {
	"/tenant/invitation/create": management(
		body(({ tenantId }, { email }) => ({ tenantId, email: `invited-${email}`, role: "admin" })),
	),
	"/tenant/invitation/list": management(query(({ tenantId }) => ({ tenantId }))),
	"/tenant/invitation/resend": management(
		body(({ tenantId, tenantInvitations: { resent } }) => ({ tenantId, id: resent.id })),
	),
	"/tenant/invitation/revoke": management(
		body(({ tenantId, tenantInvitations: { revoked } }) => ({ tenantId, id: revoked.id })),
	),
	"/tenant/invitation/get": link(query(({ tenantInvitations: { accepted } }) => ({ token: accepted.token }))),
	"/tenant/invitation/accept": link(
		body(({ tenantInvitations: { accepted }, password }) => ({ token: accepted.token, name: "New", password })),
	),
	"/tenant/user/list": management(query(({ tenantId }, { email }) => ({ tenantId, email }))),
	"/tenant/user/get": management(query(ofMember)),
	"/tenant/user/create": management(
		body(({ tenantId }, { email }) => ({ tenantId, email: `new-${email}`, name: "New", role: "admin" })),
	),
	"/tenant/user/set-role": management(body((side) => ({ ...ofMember(side), role: "admin" }))),
	"/tenant/user/ban": management(body((side) => ({ ...ofMember(side), reason: "surface" }))),
	"/tenant/user/unban": management(body(ofMember)),
	"/tenant/user/reset-second-factor": management(body(ofMember)),
	"/tenant/user/end-sessions": management(body(ofMember)),
	"/tenant/user/remove": management(body(ofMember)),
	"/tenant/user/export": management(query(ofMember)),
	"/tenant/user/erase": management(body(ofMember)),
};
