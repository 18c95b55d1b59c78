import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { platformQuery } from "../../api/platform.ts";
import { type TenantSearch, tenantsQuery } from "../../api/tenants.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { DeletionsCard } from "../deletions-card.tsx";
import { type OpenAction, TenantActionDialogs } from "./action-dialogs.tsx";
import { CreateTenantDialog } from "./create-tenant-dialog.tsx";
import { NoTenants } from "./no-tenants.tsx";
import { TenantRow } from "./tenant-row.tsx";
import { TenantSearchBar } from "./tenant-search-bar.tsx";

/** On a phone, the status stands below the name. */
const NARROW = "max-md:[&_:is(th,td):nth-child(3)]:hidden max-sm:[&_:is(th,td):nth-child(2)]:hidden";

/** All tenants: search, create, suspend, delete. */
export const TenantsPage = () => {
	const search = useSearch({ from: "/signed-in/operator/tenants" });
	const { data, error, isPending, isPlaceholderData, refetch } = useQuery(tenantsQuery(search));
	const { data: platform } = useQuery(platformQuery);
	// one that is being deleted stands above the list
	const shown = data?.tenants.filter(({ id }) => !platform?.deletions.some(({ tenantId }) => tenantId === id)) ?? [];
	const [isCreating, setCreating] = useState(false);
	const [action, setAction] = useState<OpenAction | null>(null);
	const create = (
		<Button kind="primary" onClick={() => setCreating(true)}>
			<Plus className="size-4" aria-hidden /> Create tenant
		</Button>
	);
	return (
		<>
			<PageHeader title="Tenants" intro="Every tenant has its own users, sign-in page and policy." actions={create} />
			<div className="grid gap-6">
				<DeletionsCard deletions={platform?.deletions ?? []} />
				<Card isFlush>
					<TenantSearchBar />
					{isPending && <SkeletonRows />}
					{error && (
						<div className="px-5 pb-5">
							<ErrorNotice error={error} retry={() => void refetch()} />
						</div>
					)}
					{data?.tenants.length === 0 && <NoTenants search={search} onCreate={() => setCreating(true)} />}
					{shown.length > 0 && (
						<div aria-busy={isPlaceholderData} className={isPlaceholderData ? "opacity-60" : ""}>
							<Table
								caption="Tenants"
								className={NARROW}
								head={[
									"Tenant",
									"Status",
									"Created",
									<span key="menu" className="sr-only">
										Actions
									</span>,
								]}
							>
								{shown.map((tenant) => (
									<TenantRow key={tenant.id} tenant={tenant} onAction={(kind) => setAction({ kind, tenant })} />
								))}
							</Table>
						</div>
					)}
					<Pages search={search} next={data?.nextCursor ?? null} />
				</Card>
			</div>
			<CreateTenantDialog isOpen={isCreating} onClose={() => setCreating(false)} />
			<TenantActionDialogs open={action} onClose={() => setAction(null)} />
		</>
	);
};

/** Links, so that each page has a URL and the browser's own way back works. */
const Pages = ({ search: { cursor, ...search }, next }: { search: TenantSearch; next: string | null }) => {
	if (!cursor && !next) return null;
	return (
		<nav aria-label="Pages of the list" className="flex flex-wrap justify-between gap-2 border-t border-hair p-4">
			{cursor ? (
				<Link to="/tenants" search={search} className={buttonClass()}>
					First page
				</Link>
			) : (
				<span />
			)}
			{next && (
				<Link to="/tenants" search={{ ...search, cursor: next }} className={buttonClass()}>
					Next page
				</Link>
			)}
		</nav>
	);
};
