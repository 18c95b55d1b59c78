import type { Running } from "./folder.ts";
import { createBrowser } from "./requests.ts";

/** The longest that a server may take to compile its first page. */
const PATIENCE = 180_000;

/** Waits until the platform's host serves Better Auth. */
export const untilReady = async (port: number, server: Running & { ended: Promise<void> }): Promise<void> => {
	const visit = createBrowser(port);
	let isOver = false;
	void server.ended.then(() => {
		isOver = true;
	});
	for (const until = performance.now() + PATIENCE; performance.now() < until && !isOver; ) {
		const answer = await visit("localhost", "/ok").catch(() => null);
		if (answer?.status === 200) return;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	throw new Error(isOver ? "The server ended." : "The server does not serve /api/auth/ok.");
};

/** Seconds since a time of `performance.now()`, with one digit. */
export const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10;
