import dns from "node:dns";
import net from "node:net";
import { afterAll, expect } from "vitest";

/** Global state that a test file could change for later files in the same process. */
const globals = () => ({
	fetch: globalThis.fetch,
	Date: globalThis.Date,
	setTimeout: globalThis.setTimeout,
	setInterval: globalThis.setInterval,
	queueMicrotask: globalThis.queueMicrotask,
	crypto: globalThis.crypto,
	random: Math.random,
	console: globalThis.console,
	connect: net.Socket.prototype.connect,
	lookup: dns.lookup,
	lookupPromise: dns.promises.lookup,
	indexOf: String.prototype.indexOf,
	environment: JSON.stringify(process.env),
	folder: process.cwd(),
	// not "exit": loggers add one when they first write, and nothing of a test hears it
	listeners: ["unhandledRejection", "uncaughtException", "warning"].map((name) => process.listenerCount(name)),
});

/** Setup of test files that share a process: each must restore what it replaced. */
const before = globals();
afterAll(() => {
	// the package wraps it permanently at its first call to a provider; the next file starts without
	if (globalThis.fetch.name === "bounded") globalThis.fetch = before.fetch;
	const after = globals();
	for (const name of Object.keys(before) as (keyof typeof before)[])
		expect([name, after[name]]).toEqual([name, before[name]]);
});
