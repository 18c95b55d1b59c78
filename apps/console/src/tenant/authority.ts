import type { Console } from "../api/console.ts";
import type { ListedUser } from "../api/users.ts";

/** What the viewer may do to a user. The service decides; this leaves out what it would refuse. */
export type Authority = {
	isSelf: boolean;
	/** change the role, ban, remove, reset the second factor */
	canManage: boolean;
	canErase: boolean;
	/** end sessions and export, also of themselves */
	canServe: boolean;
	roles: ListedUser["role"][];
};

const ROLES: ListedUser["role"][] = ["member", "admin", "owner"];

/** The roles that the viewer can give. */
export const rolesOf = ({ role }: Pick<Console, "role">): ListedUser["role"][] =>
	role === "admin" ? ROLES.filter((one) => one !== "owner") : ROLES;

export const authorityOver = (viewer: Console, user: Pick<ListedUser, "id" | "role">): Authority => {
	const isSelf = viewer.user.id === user.id;
	const outranks = viewer.role === "operator" || viewer.role === "owner" || user.role !== "owner";
	return {
		isSelf,
		canManage: outranks && !isSelf,
		canErase: (viewer.role === "operator" || viewer.role === "owner") && !isSelf,
		canServe: outranks || isSelf,
		roles: rolesOf(viewer),
	};
};

/** Whether the viewer may change what only owners and operators change: policy, branding, OAuth providers. */
export const canChangeTenant = ({ role }: Pick<Console, "role">): boolean => role === "operator" || role === "owner";
