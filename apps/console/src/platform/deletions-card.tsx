import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Deletion } from "../api/platform.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { deleteTenant, isDeletingHere } from "./tenants/delete-tenant.ts";

const count = new Intl.NumberFormat("en");

/** Tenants that are closed and not yet gone. One whose process did not survive is continued from here. */
export const DeletionsCard = ({ deletions }: { deletions: Deletion[] }) => {
	if (deletions.length === 0) return null;
	return (
		<Card
			title="Being deleted"
			intro="Their requests are already refused. You can continue a deletion that stopped."
			isFlush
		>
			<ul>
				{deletions.map((deletion) => (
					<Row key={deletion.tenantId} deletion={deletion} />
				))}
			</ul>
		</Card>
	);
};

const Row = ({ deletion: { tenantId, name, slug, startedAt, rowsLeft } }: { deletion: Deletion }) => {
	const queries = useQueryClient();
	const [problem, setProblem] = useState<unknown>(null);
	const go = async (): Promise<void> => {
		setProblem(null);
		await deleteTenant(queries, { id: tenantId, name }).catch(setProblem);
	};
	return (
		<li className="flex flex-wrap items-center gap-3 border-t border-hair px-5 py-3">
			<div className="grid min-w-0 flex-1 basis-48">
				<span className="font-medium wrap-anywhere">
					{name} <span className="font-mono text-sm font-normal text-soft">{slug}</span>
				</span>
				<span className="text-sm text-soft">
					Started <Time at={startedAt} /> ·{" "}
					{rowsLeft === 1 ? "1 record left" : `${count.format(rowsLeft)} records left`}
				</span>
			</div>
			<Button onClick={go} isBusy={isDeletingHere(tenantId)}>
				{isDeletingHere(tenantId) ? "Deleting…" : "Continue"}
			</Button>
			{problem !== null && <ErrorNotice error={problem} />}
		</li>
	);
};
