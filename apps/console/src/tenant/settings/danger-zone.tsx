import { useState } from "react";
import type { ListedTenant } from "../../api/tenants.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { type TenantAction, TenantActionDialogs } from "../../platform/tenants/action-dialogs.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";

type Step = { action: TenantAction; title: string; says: string; button: string };

const CLOSE: Step[] = [
	{
		action: "suspend",
		title: "Suspend",
		says: "Nobody can sign in until you restore the tenant. Nothing is deleted.",
		button: "Suspend tenant",
	},
	{
		action: "archive",
		title: "Archive",
		says: "For a tenant that left. Its data stays until you delete it.",
		button: "Archive tenant",
	},
];

const RESTORE: Step = {
	action: "restore",
	title: "Restore",
	says: "Users can sign in again.",
	button: "Restore tenant",
};

const DELETE: Step = {
	action: "delete",
	title: "Delete",
	says: "Deletes the tenant with all its users and settings. This cannot be undone.",
	button: "Delete tenant",
};

/** What closes or deletes the tenant. For operators. */
export const DangerZone = ({ tenant }: { tenant: ListedTenant }) => {
	const { features } = useViewer();
	const [action, setAction] = useState<TenantAction | null>(null);
	const status = tenant.lifecycle?.status ?? "active";
	const lifecycle = !features.lifecycle ? [] : status === "active" ? CLOSE : [RESTORE];
	return (
		<Card title="Danger zone" isFlush>
			<ul className="border-t border-hair">
				{[...lifecycle, DELETE].map((step) => (
					<li
						key={step.action}
						className="flex flex-wrap items-center justify-between gap-3 border-b border-hair px-5 py-3.5 last:border-b-0"
					>
						<div className="min-w-0 flex-1 basis-64">
							<h3 className="text-base font-medium">{step.title}</h3>
							<p className="text-sm text-soft">{step.says}</p>
						</div>
						<Button kind={step.action === "restore" ? "secondary" : "risky"} onClick={() => setAction(step.action)}>
							{step.button}
						</Button>
					</li>
				))}
			</ul>
			<TenantActionDialogs open={action && { kind: action, tenant }} onClose={() => setAction(null)} />
		</Card>
	);
};
