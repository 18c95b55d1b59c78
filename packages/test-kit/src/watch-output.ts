import { afterAll, expect } from "vitest";
import { CANARY } from "./canary.ts";

/** Set up for every test file: whatever is printed while it runs must not hold a client secret. */
const leaks: string[] = [];
for (const stream of [process.stdout, process.stderr]) {
	const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
	Object.assign(stream, {
		write: (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
			if (String(chunk).includes(CANARY)) leaks.push(String(chunk).slice(0, 200));
			return write(chunk, ...rest);
		},
	});
}
for (const level of ["log", "info", "warn", "error", "debug"] as const) {
	const print = console[level].bind(console);
	console[level] = (...parts: unknown[]) => {
		if (parts.map(String).join(" ").includes(CANARY)) leaks.push(parts.map(String).join(" ").slice(0, 200));
		print(...parts);
	};
}
afterAll(() => expect(leaks).toEqual([]));
