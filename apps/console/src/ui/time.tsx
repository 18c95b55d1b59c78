const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
	["year", 31_536_000],
	["month", 2_592_000],
	["day", 86_400],
	["hour", 3_600],
	["minute", 60],
];

const inWords = (at: Date): string => {
	const seconds = (at.getTime() - Date.now()) / 1000;
	const [unit, size] = UNITS.find(([, unitSize]) => Math.abs(seconds) >= unitSize) ?? ["second", 1];
	return unit === "second" ? "just now" : relative.format(Math.round(seconds / size), unit);
};

/** A time as people say it, with the exact one as a title. */
export const Time = ({ at }: { at: Date | string }) => {
	const date = new Date(at);
	return (
		<time dateTime={date.toISOString()} title={exact.format(date)} className="whitespace-nowrap">
			{inWords(date)}
		</time>
	);
};
