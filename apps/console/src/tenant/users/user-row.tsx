import { Link } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import type { ListedUser } from "../../api/users.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Cell } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useTenantId } from "../use-tenant.ts";
import type { UserAction } from "../user/action-dialogs.tsx";
import { UserMenuItems } from "../user/menu-items.tsx";
import { RoleBadge, StateBadge } from "./badges.tsx";

/** One user in the list. The name leads to the user, the menu acts at once. */
export const UserRow = ({ user, onAction }: { user: ListedUser; onAction: (action: UserAction) => void }) => {
	const tenantId = useTenantId();
	const viewer = useViewer();
	return (
		<tr>
			<Cell>
				<div className="flex items-center gap-3 sm:min-w-52">
					<Avatar name={user.name || user.email} />
					<div className="grid min-w-0">
						<span className="flex items-center gap-2">
							<Link
								to="/tenant/$tenantId/users/$userId"
								params={{ tenantId, userId: user.id }}
								className="font-medium wrap-anywhere hover:underline"
							>
								{user.name || user.email}
							</Link>
							{viewer.user.id === user.id && <Badge>You</Badge>}
						</span>
						<span className="text-sm wrap-anywhere text-soft">{user.email}</span>
						<span className="flex flex-wrap items-center gap-2 pt-1 sm:hidden">
							<RoleBadge role={user.role} />
							<StateBadge {...user} />
						</span>
					</div>
				</div>
			</Cell>
			<Cell>
				<RoleBadge role={user.role} />
			</Cell>
			<Cell>
				<StateBadge {...user} />
			</Cell>
			<Cell className="text-sm text-soft">
				<Time at={user.createdAt} />
			</Cell>
			<Cell className="w-12 text-right">
				<Menu label={`Actions for ${user.name || user.email}`} trigger={<Ellipsis className="size-4.5" aria-hidden />}>
					<UserMenuItems user={user} onAction={onAction} isInList />
				</Menu>
			</Cell>
		</tr>
	);
};
