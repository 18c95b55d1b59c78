import { body, management, query, type Row } from "./row.ts";

const ofMember = ({ tenantId, member: { id } }: { tenantId: string; member: { id: string } }) => ({
	tenantId,
	userId: id,
});

/** Every HTTP endpoint of the companions of tenantAuth(), in the order of a user's life. */
export const COMPANION_SURFACE: Record<string, Row> = {
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
