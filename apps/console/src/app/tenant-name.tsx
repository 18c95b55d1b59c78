import { useQuery } from "@tanstack/react-query";
import { tenantQuery } from "../api/tenants.ts";
import { Skeleton } from "../ui/skeleton.tsx";

/** The tenant that an operator has open, above its pages. */
export const TenantName = ({ tenantId }: { tenantId: string }) => {
	const { data } = useQuery(tenantQuery(tenantId));
	return (
		<div className="px-2.5 pb-2 text-xs font-medium text-soft">
			{data ? <span className="block truncate">{data.name}</span> : <Skeleton className="h-4 w-24" />}
		</div>
	);
};
