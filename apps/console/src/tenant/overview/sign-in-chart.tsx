import type { SignIns } from "../../api/sign-ins.ts";

type Day = SignIns["days"][number];

const HEIGHT = 100;
/** of the width of a day, which is 1 */
const GAP = 0.28;

const short = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const nameDay = (day: string): string => short.format(new Date(`${day}T00:00:00Z`));

/** The next round number, so that the axis has one. */
const roundUp = (most: number): number => {
	const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
	return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most;
};

/** Sign-ins by day as bars, and the same as a table for those who do not see bars. */
export const SignInChart = ({ days }: { days: Day[] }) => {
	const most = Math.max(...days.map(({ succeeded, refused }) => succeeded + refused));
	const top = roundUp(most);
	const [first, last] = [days[0], days.at(-1)];
	if (!first || !last) return null;
	return (
		<div className="grid gap-3">
			<div className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-soft">
				<span className="flex items-center gap-2">
					<span aria-hidden className="size-2.5 rounded-xs bg-accent" /> Succeeded
				</span>
				<span className="flex items-center gap-2">
					<span aria-hidden className="size-2.5 rounded-xs bg-edge" /> Refused
				</span>
			</div>
			<div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs text-soft tabular-nums">
				<div aria-hidden className="flex h-40 flex-col justify-between text-right">
					<span>{top}</span>
					<span>0</span>
				</div>
				<svg
					role="img"
					aria-label={`Sign-ins per day from ${nameDay(first.day)} to ${nameDay(last.day)}. The table below has the numbers.`}
					viewBox={`0 0 ${days.length} ${HEIGHT}`}
					preserveAspectRatio="none"
					className="h-40 w-full border-y border-hair"
				>
					{days.map((day, at) => (
						<Bar key={day.day} day={day} at={at} top={top} />
					))}
				</svg>
				<div aria-hidden className="col-start-2 flex justify-between pt-1.5">
					<span>{nameDay(first.day)}</span>
					<span>{nameDay(last.day)}</span>
				</div>
			</div>
			{most === 0 && <p className="text-sm text-soft">No sign-ins in this period.</p>}
			<DayTable days={days} />
		</div>
	);
};

const Bar = ({ day: { day, succeeded, refused }, at, top }: { day: Day; at: number; top: number }) => {
	const height = (count: number): number => (count / top) * HEIGHT;
	const [good, bad] = [height(succeeded), height(refused)];
	const place = { x: at + GAP / 2, width: 1 - GAP };
	return (
		<g>
			<title>{`${nameDay(day)}: ${succeeded} succeeded, ${refused} refused`}</title>
			<rect x={at} y={0} width={1} height={HEIGHT} className="fill-transparent" />
			<rect {...place} y={HEIGHT - good} height={good} className="fill-accent" />
			<rect {...place} y={HEIGHT - good - bad} height={bad} className="fill-edge" />
		</g>
	);
};

const DayTable = ({ days }: { days: Day[] }) => (
	<details className="text-sm">
		<summary className="min-h-6 w-fit cursor-pointer text-soft hover:text-ink">Show as a table</summary>
		<table className="mt-2 w-full max-w-md text-left tabular-nums">
			<thead>
				<tr className="text-soft">
					<th scope="col" className="py-1 pr-4 font-medium">
						Day
					</th>
					<th scope="col" className="py-1 pr-4 text-right font-medium">
						Succeeded
					</th>
					<th scope="col" className="py-1 text-right font-medium">
						Refused
					</th>
				</tr>
			</thead>
			<tbody>
				{days.toReversed().map(({ day, succeeded, refused }) => (
					<tr key={day} className="border-t border-hair">
						<th scope="row" className="py-1 pr-4 font-normal">
							{nameDay(day)}
						</th>
						<td className="py-1 pr-4 text-right">{succeeded}</td>
						<td className="py-1 text-right">{refused}</td>
					</tr>
				))}
			</tbody>
		</table>
	</details>
);
