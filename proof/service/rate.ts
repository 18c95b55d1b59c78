import type { Answer } from "test-kit/load/visitor";

export type Rate = { perSecond: number; medianMs: number; p99Ms: number; failed: number };

/** Sends as fast as responses arrive, this many at a time, for a few seconds. */
export const measureRate = async (
	send: () => Promise<Answer>,
	{ seconds, parallel }: { seconds: number; parallel: number },
): Promise<Rate> => {
	const times: number[] = [];
	let failed = 0;
	const began = performance.now();
	const end = began + seconds * 1000;
	await Promise.all(
		Array.from({ length: parallel }, async () => {
			while (performance.now() < end) {
				const answer = await send();
				if (answer.status !== 200 || answer.json === null) failed += 1;
				times.push(answer.ms);
			}
		}),
	);
	const sorted = times.sort((a, b) => a - b);
	const at = (part: number) => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
	return {
		perSecond: Math.round((sorted.length / ((performance.now() - began) / 1000)) * 10) / 10,
		medianMs: at(0.5),
		p99Ms: at(0.99),
		failed,
	};
};
