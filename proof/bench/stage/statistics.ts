/** The quantile; 0 if there are no values. */
export const quantile = (values: number[], part: number): number => {
	const sorted = values.toSorted((a, b) => a - b);
	const at = (sorted.length - 1) * part;
	const below = sorted[Math.floor(at)] ?? 0;
	const above = sorted[Math.ceil(at)] ?? below;
	return below + (above - below) * (at - Math.floor(at));
};

export const median = (values: number[]): number => quantile(values, 0.5);

export const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The median with its quartiles. */
export type Spread = { median: number; low: number; high: number };

export const spreadOf = (values: number[], digits: number): Spread => ({
	median: round(median(values), digits),
	low: round(quantile(values, 0.25), digits),
	high: round(quantile(values, 0.75), digits),
});
