import type { ListedTenant } from "../../api/tenants.ts";
import { Badge } from "../../ui/badge.tsx";

const STATUSES = {
	active: { tone: "good", title: "Active" },
	suspended: { tone: "warn", title: "Suspended" },
	archived: { tone: "neutral", title: "Archived" },
} as const;

/** The status of a tenant. Without the lifecycle every tenant is active, and nothing is said. */
export const StatusBadge = ({ lifecycle }: Pick<ListedTenant, "lifecycle">) => {
	if (!lifecycle) return <span className="text-soft">–</span>;
	const { tone, title } = STATUSES[lifecycle.status];
	return <Badge tone={tone}>{title}</Badge>;
};
