import type { ListedUser } from "../../api/users.ts";
import { Badge } from "../../ui/badge.tsx";

const ROLE_TONES = { owner: "accent", admin: "accent", member: "neutral" } as const;
export const ROLE_NAMES = { owner: "Owner", admin: "Admin", member: "Member" } as const;

/** What each role can do, where one is chosen. */
export const ROLE_MEANINGS = {
	member: "Uses the application. Cannot manage users.",
	admin: "Manages users and invitations, but not owners.",
	owner: "Manages everything in the tenant, including policy and branding.",
} as const;

export const RoleBadge = ({ role }: Pick<ListedUser, "role">) => (
	<Badge tone={ROLE_TONES[role]}>{ROLE_NAMES[role]}</Badge>
);

type State = Pick<ListedUser, "banned" | "emailVerified">;

/** The state of a user. Nothing special is a calm word, not a colored one. */
export const StateBadge = ({ banned, emailVerified }: State) => {
	if (banned) return <Badge tone="danger">Banned</Badge>;
	if (!emailVerified) return <Badge tone="warn">Email not verified</Badge>;
	return <span className="text-sm text-soft">Active</span>;
};
