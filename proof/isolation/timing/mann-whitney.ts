/** The median; the mean of the two middle values for an even count. */
export const medianOf = (values: number[]): number => {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = sorted.length >> 1;
	const upper = sorted[middle] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/**
 * The probability that two samples from one distribution differ at least this much (Mann and Whitney 1947): two-sided,
 * by the normal approximation with correction for ties, which is accurate from about twenty of each.
 */
export const mannWhitney = (left: number[], right: number[]): { u: number; p: number } => {
	const [n, m] = [left.length, right.length];
	const all = [
		...left.map((value) => ({ value, isLeft: true })),
		...right.map((value) => ({ value, isLeft: false })),
	].sort((one, other) => one.value - other.value);
	let rankSum = 0;
	let ties = 0;
	for (let start = 0; start < all.length; ) {
		let end = start + 1;
		while (end < all.length && all[end]?.value === all[start]?.value) end += 1;
		// equal values share the mean of their ranks, which count from one
		const rank = (start + 1 + end) / 2;
		const count = end - start;
		ties += count ** 3 - count;
		for (let at = start; at < end; at += 1) if (all[at]?.isLeft) rankSum += rank;
		start = end;
	}
	const u = rankSum - (n * (n + 1)) / 2;
	const total = n + m;
	const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
	if (deviation === 0) return { u, p: 1 };
	// continuity correction: U counts in whole steps
	const distance = Math.max(Math.abs(u - (n * m) / 2) - 0.5, 0);
	return { u, p: Math.min(1, 2 * upperTail(distance / deviation)) };
};

/** The upper tail of the normal distribution at z (Abramowitz and Stegun 26.2.17: error below 7.5e-8). */
const upperTail = (z: number): number => {
	const t = 1 / (1 + 0.2316419 * z);
	const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
	return (Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
};
