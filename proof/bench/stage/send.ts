import type { Act } from "./rounds.ts";

/** Requests by their numbers, this many at once. */
export type Requests = { first: number; count: number; parallel: number };

/** Sends requests. */
export const send = async (act: Act, { first, count, parallel }: Requests): Promise<void> => {
	let next = first;
	await Promise.all(
		Array.from({ length: parallel }, async () => {
			while (next < first + count) await act(next++);
		}),
	);
};
