import type { Platform } from "../../api/platform.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Cell, Table } from "../../ui/table.tsx";

/** The processes that serve this database. During an upgrade their schemas differ. */
export const ProcessesCard = ({ processes, version }: Pick<Platform, "processes" | "version">) => {
	const isMixed = new Set(processes.map(({ schema }) => schema)).size > 1;
	return (
		<Card title="Processes" intro={`This page comes from version ${version}.`} isFlush>
			{isMixed && (
				<div className="px-5 pb-4">
					<Notice tone="warn" title="The processes are not alike">
						They have different versions or plugins. During an upgrade this is expected, and it ends with it.
					</Notice>
				</div>
			)}
			<Table caption="Processes" head={["Host", "Schema", "Last seen"]}>
				{processes.map(({ host, schema, secondsAgo }, index) => (
					// two processes of one host have nothing else that tells them apart
					<tr key={`${host} ${index}`}>
						<Cell className="font-medium wrap-anywhere">{host}</Cell>
						<Cell>
							<span className="font-mono text-xs" title={schema}>
								{schema.slice(0, 10)}
							</span>
						</Cell>
						<Cell className="text-sm whitespace-nowrap text-soft">
							{secondsAgo > 60 ? <Badge tone="warn">{secondsAgo} s ago</Badge> : `${secondsAgo} s ago`}
						</Cell>
					</tr>
				))}
			</Table>
		</Card>
	);
};
