import { Link, useNavigate } from "@tanstack/react-router";
import { Archive, Ellipsis, FolderOpen, Pause, RotateCcw, Trash2 } from "lucide-react";
import type { ListedTenant } from "../../api/tenants.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Menu, MenuItem, MenuLine } from "../../ui/menu.tsx";
import { Cell } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import type { TenantAction } from "./action-dialogs.tsx";
import { StatusBadge } from "./status-badge.tsx";

type Row = { tenant: ListedTenant; onAction: (action: TenantAction) => void };

/** One tenant in the list. The name leads to its pages, the menu acts at once. */
export const TenantRow = ({ tenant, onAction }: Row) => (
	<tr>
		<Cell>
			<div className="flex max-w-md items-center gap-3 sm:min-w-48">
				<Avatar name={tenant.name} isSquare />
				<div className="grid min-w-0">
					<Link
						to="/tenant/$tenantId"
						params={{ tenantId: tenant.id }}
						className="line-clamp-2 font-medium wrap-anywhere hover:underline"
					>
						{tenant.name}
					</Link>
					<span className="truncate font-mono text-sm text-soft">{tenant.slug}</span>
					<div className="pt-1 sm:hidden">
						<Status tenant={tenant} />
					</div>
				</div>
			</div>
		</Cell>
		<Cell>
			<Status tenant={tenant} />
		</Cell>
		<Cell className="text-sm text-soft">
			<Time at={tenant.createdAt} />
		</Cell>
		<Cell className="w-12 text-right">
			<Menu label={`Actions for ${tenant.name}`} trigger={<Ellipsis className="size-4.5" aria-hidden />}>
				<Items tenant={tenant} onAction={onAction} />
			</Menu>
		</Cell>
	</tr>
);

const Status = ({ tenant: { lifecycle } }: Pick<Row, "tenant">) => (
	<div className="grid justify-items-start gap-0.5">
		<StatusBadge lifecycle={lifecycle} />
		{lifecycle?.status !== "active" && lifecycle?.reason && (
			<span className="line-clamp-2 max-w-64 text-sm wrap-anywhere text-soft">{lifecycle.reason}</span>
		)}
	</div>
);

const ICON = "size-4";

const Items = ({ tenant, onAction }: Row) => {
	const { features } = useViewer();
	const navigate = useNavigate();
	const status = tenant.lifecycle?.status ?? "active";
	return (
		<>
			<MenuItem onSelect={() => void navigate({ to: "/tenant/$tenantId", params: { tenantId: tenant.id } })}>
				<FolderOpen className={ICON} aria-hidden /> Open
			</MenuItem>
			{features.lifecycle && status !== "active" && (
				<MenuItem onSelect={() => onAction("restore")}>
					<RotateCcw className={ICON} aria-hidden /> Restore
				</MenuItem>
			)}
			{features.lifecycle && status === "active" && (
				<MenuItem onSelect={() => onAction("suspend")}>
					<Pause className={ICON} aria-hidden /> Suspend
				</MenuItem>
			)}
			{features.lifecycle && status !== "archived" && (
				<MenuItem onSelect={() => onAction("archive")}>
					<Archive className={ICON} aria-hidden /> Archive
				</MenuItem>
			)}
			<MenuLine />
			<MenuItem isDanger onSelect={() => onAction("delete")}>
				<Trash2 className={ICON} aria-hidden /> Delete
			</MenuItem>
		</>
	);
};
