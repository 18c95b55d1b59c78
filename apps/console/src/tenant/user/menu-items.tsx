import { useNavigate } from "@tanstack/react-router";
import { Ban, Download, Drama, Eraser, LogOut, RotateCcw, ShieldOff, Trash2, UserCog, UserRound } from "lucide-react";
import type { ListedUser } from "../../api/users.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { MenuItem, MenuLine, MenuText } from "../../ui/menu.tsx";
import { authorityOver } from "../authority.ts";
import { useTenantId } from "../use-tenant.ts";
import type { UserAction } from "./action-dialogs.tsx";

type Items = { user: ListedUser; onAction: (action: UserAction) => void; isInList?: boolean };

const ICON = "size-4";

/** What the viewer can do to a user. */
export const UserMenuItems = ({ user, onAction, isInList = false }: Items) => {
	const viewer = useViewer();
	const tenantId = useTenantId();
	const navigate = useNavigate();
	const { canManage, canErase, canServe, isSelf } = authorityOver(viewer, user);
	return (
		<>
			{isInList && (
				<MenuItem
					onSelect={() =>
						void navigate({ to: "/tenant/$tenantId/users/$userId", params: { tenantId, userId: user.id } })
					}
				>
					<UserRound className={ICON} aria-hidden /> Open
				</MenuItem>
			)}
			{canManage && (
				<MenuItem onSelect={() => onAction("role")}>
					<UserCog className={ICON} aria-hidden /> Change role
				</MenuItem>
			)}
			{canServe && (
				<>
					<MenuItem onSelect={() => onAction("end-sessions")}>
						<LogOut className={ICON} aria-hidden /> End all sessions
					</MenuItem>
					<MenuItem onSelect={() => onAction("export")}>
						<Download className={ICON} aria-hidden /> Export data
					</MenuItem>
				</>
			)}
			{viewer.features.impersonation && (
				<MenuItem onSelect={() => onAction("impersonate")}>
					<Drama className={ICON} aria-hidden /> Impersonate
				</MenuItem>
			)}
			{canManage && user.twoFactorEnabled && (
				<MenuItem onSelect={() => onAction("reset-second-factor")}>
					<ShieldOff className={ICON} aria-hidden /> Reset second factor
				</MenuItem>
			)}
			{canManage && (
				<>
					<MenuLine />
					{user.banned ? (
						<MenuItem onSelect={() => onAction("unban")}>
							<RotateCcw className={ICON} aria-hidden /> End the ban
						</MenuItem>
					) : (
						<MenuItem isDanger onSelect={() => onAction("ban")}>
							<Ban className={ICON} aria-hidden /> Ban
						</MenuItem>
					)}
					<MenuItem isDanger onSelect={() => onAction("remove")}>
						<Trash2 className={ICON} aria-hidden /> Remove
					</MenuItem>
				</>
			)}
			{canErase && (
				<MenuItem isDanger onSelect={() => onAction("erase")}>
					<Eraser className={ICON} aria-hidden /> Erase
				</MenuItem>
			)}
			{!canManage && (
				<MenuText>{isSelf ? "Another admin changes your role" : "Only owners can change owners"}</MenuText>
			)}
		</>
	);
};
