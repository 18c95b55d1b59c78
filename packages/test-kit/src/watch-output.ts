import { afterAll, expect } from "vitest";
import { CANARY } from "./canary.ts";

type Watch = { leaks: string[]; watched: WeakSet<object> };

const WATCH = Symbol.for("test-kit/watch-output");
const kept = globalThis as { [WATCH]?: Watch };
// this file runs again for every test file, in one process if files share it
kept[WATCH] ??= { leaks: [], watched: new WeakSet() };
const { leaks, watched } = kept[WATCH];

const isNew = (target: object): boolean => {
	if (watched.has(target)) return false;
	watched.add(target);
	return true;
};

/** Setup of every test file: its output must not contain a client secret. */
for (const stream of [process.stdout, process.stderr].filter(isNew)) {
	const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
	Object.assign(stream, {
		write: (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
			if (String(chunk).includes(CANARY)) leaks.push(String(chunk).slice(0, 200));
			return write(chunk, ...rest);
		},
	});
}
if (isNew(console)) {
	for (const level of ["log", "info", "warn", "error", "debug"] as const) {
		const print = console[level].bind(console);
		console[level] = (...parts: unknown[]) => {
			if (parts.map(String).join(" ").includes(CANARY)) leaks.push(parts.map(String).join(" ").slice(0, 200));
			print(...parts);
		};
	}
}
afterAll(() => expect(leaks.splice(0)).toEqual([]));
