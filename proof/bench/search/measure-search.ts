import type { Engine } from "../stage/engine.ts";
import { quantile, round } from "../stage/statistics.ts";

/** One kind of search: how many rows a page has, its statements, and its time at the server in milliseconds. */
export type Search = { name: string; found: number; statements: number; median: number; p99: number };

type Measured = { path: string; query: Record<string, string>; requests: number };

/** Sends one search many times, in this process, as an operator. */
export const measureSearch = async (
	engine: Pick<Engine, "call" | "sent">,
	name: string,
	{ path, query, requests }: Measured,
): Promise<Search> => {
	const target = `${path}?${new URLSearchParams(query)}`;
	const times: number[] = [];
	let found = 0;
	let statements = 0;
	// the first tenth compiles everything and fills the caches
	for (let number = -requests / 10; number < requests; number += 1) {
		const before = engine.sent.statements;
		const began = performance.now();
		const { text } = await engine.call(target, { operator: true });
		if (number >= 0) times.push(performance.now() - began);
		found = (JSON.parse(text) as unknown[]).length;
		statements = engine.sent.statements - before;
	}
	return { name, found, statements, median: round(quantile(times, 0.5), 2), p99: round(quantile(times, 0.99), 2) };
};
