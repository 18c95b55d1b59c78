import { KeyRound } from "lucide-react";
import type { Platform } from "../../api/platform.ts";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Cell, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

const count = new Intl.NumberFormat("en");

/** Sign-ins by method. Other processes count their own: the metrics have all of them. */
export const SignInsCard = ({ process: { startedAt, signIns } }: Pick<Platform, "process">) => {
	const methods = signIns.methods.filter(
		({ succeeded, pending, refused, failed }) => succeeded + pending + refused + failed > 0,
	);
	return (
		<Card
			title="Sign-ins by method"
			intro={
				<>
					Counted by the process that served this page, which started <Time at={startedAt} />. The metrics have all
					processes.
				</>
			}
			isFlush
		>
			{methods.length === 0 ? (
				<Empty icon={KeyRound} title="No sign-in yet">
					Nobody has tried to sign in at this process.
				</Empty>
			) : (
				<Table caption="Sign-ins by method" head={["Method", "Succeeded", "Pending", "Refused", "Failed"]}>
					{methods.map(({ method, succeeded, pending, refused, failed }) => (
						<tr key={method}>
							<Cell className="font-medium first-letter:uppercase">{method}</Cell>
							{[succeeded, pending, refused, failed].map((number, column) => (
								// the columns are always the same
								<Cell key={column} className={`tabular-nums ${number === 0 ? "text-soft" : ""}`}>
									{count.format(number)}
								</Cell>
							))}
						</tr>
					))}
				</Table>
			)}
		</Card>
	);
};
