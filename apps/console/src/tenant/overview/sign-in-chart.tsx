import { ChartColumn } from "lucide-react";
import type { SignIns } from "../../api/sign-ins.ts";
import { Empty } from "../../ui/empty.tsx";

type Day = SignIns["days"][number];

const HEIGHT = 100;
/** of the width of a day, which is 1 */
const GAP = 0.28;
/** where a date stands below the bars */
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const count = new Intl.NumberFormat("en");

const short = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const nameDay = (day: string): string => short.format(new Date(`${day}T00:00:00Z`));

/** The next round number, so that the axis has one. */
const roundUp = (most: number): number => {
	const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
	// never odd, so that the line in the middle is a whole number
	return [1, 2, 4, 6, 8, 10].map((step) => Math.max(step * power, 2)).find((step) => step >= most) ?? most;
};

/** Sign-ins by day as bars, and the same as a table for those who do not see bars. */
export const SignInChart = ({ days }: { days: Day[] }) => {
	const most = Math.max(...days.map(({ succeeded, refused }) => succeeded + refused));
	const top = roundUp(most);
	const [first, last] = [days[0], days.at(-1)];
	if (!first || !last) return null;
	if (most === 0)
		return (
			<Empty icon={ChartColumn} title="No sign-ins in these 30 days">
				Each sign-in at this tenant appears here within seconds, and so does each refused one.
			</Empty>
		);
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
			<div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pt-1 text-xs text-soft tabular-nums">
				{/* each number stands beside its line */}
				<div aria-hidden className="-my-2 flex h-44 flex-col justify-between text-right leading-4">
					<span>{count.format(top)}</span>
					<span>{count.format(top / 2)}</span>
					<span>0</span>
				</div>
				<div className="relative h-40">
					<div aria-hidden className="absolute inset-0 flex flex-col justify-between border-y border-hair">
						<span />
						<span className="border-t border-dashed border-hair" />
						<span />
					</div>
					<svg
						role="img"
						aria-label={`Sign-ins per day from ${nameDay(first.day)} to ${nameDay(last.day)}. The table below has the numbers.`}
						viewBox={`0 0 ${days.length} ${HEIGHT}`}
						preserveAspectRatio="none"
						className="relative size-full"
					>
						{days.map((day, at) => (
							<Bar key={day.day} day={day} at={at} top={top} />
						))}
					</svg>
				</div>
				<div aria-hidden className="col-start-2 flex justify-between pt-1.5">
					{TICKS.map((share) => (
						<span key={share} className={share === 0.25 || share === 0.75 ? "max-sm:hidden" : ""}>
							{nameDay(days[Math.round((days.length - 1) * share)]?.day ?? last.day)}
						</span>
					))}
				</div>
			</div>
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
