import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, type LucideIcon, UserRound } from "lucide-react";
import { consoleName, OPERATOR_PAGES, tenantPages } from "./navigation.ts";
import { TenantName } from "./tenant-name.tsx";
import { useViewer } from "./use-viewer.ts";
import { ViewerMenu } from "./viewer-menu.tsx";

const link =
	"flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-base text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-ink";

const Entry = ({ icon: Icon, title }: { icon: LucideIcon; title: string }) => (
	<>
		<Icon className="size-4.5 shrink-0" aria-hidden />
		{title}
	</>
);

/** The navigation: an operator's own pages, or those of the tenant that is open. */
export const Sidebar = () => {
	const viewer = useViewer();
	const { tenantId } = useParams({ strict: false });
	const own = viewer.role === "owner" || viewer.role === "admin" ? viewer.tenant?.id : undefined;
	const open = tenantId ?? own;
	return (
		<>
			<div className="flex min-h-14 items-center gap-2.5 px-4 pt-2 font-semibold">
				<img src="/console/favicon.svg" alt="" className="size-7" />
				<span className="truncate">{consoleName(viewer)}</span>
			</div>
			<nav aria-label="Pages" className="flex-1 overflow-y-auto px-3 py-3">
				{viewer.role === "operator" && open && (
					<Link to="/tenants" className={`${link} mb-2`}>
						<Entry icon={ArrowLeft} title="All tenants" />
					</Link>
				)}
				{viewer.role === "operator" && open && <TenantName tenantId={open} />}
				<ul className="grid gap-0.5">
					{viewer.role === "operator" &&
						!open &&
						OPERATOR_PAGES.map(({ to, ...entry }) => (
							<li key={to}>
								<Link to={to} className={link}>
									<Entry {...entry} />
								</Link>
							</li>
						))}
					{open &&
						tenantPages(viewer).map(({ to, ...entry }) => (
							<li key={to}>
								<Link
									to={to}
									params={{ tenantId: open }}
									activeOptions={{ exact: to === "/tenant/$tenantId" }}
									className={link}
								>
									<Entry {...entry} />
								</Link>
							</li>
						))}
					{viewer.role === "member" && (
						<li>
							<Link to="/account" className={link}>
								<Entry icon={UserRound} title="Your account" />
							</Link>
						</li>
					)}
				</ul>
			</nav>
			<div className="border-t border-hair p-3">
				<ViewerMenu />
			</div>
		</>
	);
};
