import { Inbox } from "lucide-react";
import type { Platform } from "../../api/platform.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Cell, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

/** The queue in the database, which all processes share: mails and other work that can wait. */
export const JobsCard = ({ jobs }: Pick<Platform, "jobs">) => (
	<Card title="Queue" intro="Pending emails and other jobs of all processes." isFlush>
		{jobs.length === 0 ? (
			<Empty icon={Inbox} title="The queue is empty">
				Everything is delivered.
			</Empty>
		) : (
			<Table caption="Queue" head={["Task", "Waiting", "Trying again", "Given up", "Oldest"]}>
				{jobs.map(({ task, waiting, retrying, failed, oldestSeconds }) => (
					<tr key={task}>
						<Cell className="font-medium">{task}</Cell>
						<Cell className="tabular-nums">{waiting}</Cell>
						<Cell className="tabular-nums">{retrying}</Cell>
						<Cell className="tabular-nums">{failed > 0 ? <Badge tone="danger">{failed}</Badge> : failed}</Cell>
						<Cell className="text-sm text-soft">
							<Time at={new Date(Date.now() - oldestSeconds * 1000)} />
						</Cell>
					</tr>
				))}
			</Table>
		)}
	</Card>
);
