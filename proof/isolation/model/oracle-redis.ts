import { randomBytes } from "node:crypto";
import { PLATFORM } from "better-auth-tenants/src/scope/pin/platform.ts";
import { Redis } from "ioredis";

export type TouchedKey = { command: string; tenantId: string; key: string; writes: boolean };

const READS = new Set(["get", "mget", "exists", "ttl", "scan", "keys", "smembers", "strlen"]);

/** Records every key that the application reads or writes, and its owner by name. */
export const watchKeys = async (url: string, prefix: string) => {
	const client = new Redis(url);
	const monitor = await openMonitor(url);
	let touched: TouchedKey[] = [];
	const waiting = new Map<string, () => void>();
	monitor.on("monitor", (_time: string, args: string[]) => {
		const command = args[0]?.toLowerCase() ?? "";
		if (command === "echo") {
			waiting.get(args[1] ?? "")?.();
			return;
		}
		for (const arg of args.slice(1)) {
			if (!arg.startsWith(prefix) || command === "scan" || command === "keys") continue;
			const key = arg.slice(prefix.length);
			touched.push({ command, key, tenantId: ownerOf(key), writes: !READS.has(command) });
		}
	});
	return {
		/** The keys touched since the last call. */
		touched: async (): Promise<TouchedKey[]> => {
			// the stream is delayed: everything before this marker has been seen once the marker is
			const mark = randomBytes(8).toString("hex");
			const seen = new Promise<void>((resolve) => waiting.set(mark, resolve));
			await client.echo(mark);
			await seen;
			waiting.delete(mark);
			const answer = touched;
			touched = [];
			return answer;
		},
		/** The remaining keys of a tenant. */
		heldBy: async (tenantId: string): Promise<string[]> =>
			(await client.keys(`${prefix}tenant:${tenantId}:*`)).map(
				(key) => `the key ${key.slice(prefix.length, prefix.length + 80)}`,
			),
		close: async () => {
			const keys = await client.keys(`${prefix}*`);
			for (let at = 0; at < keys.length; at += 500) await client.del(...keys.slice(at, at + 500));
			monitor.disconnect();
			client.disconnect();
		},
	};
};

/**
 * Not `client.monitor()`: on a busy server, commands arrive right after the response to MONITOR, before the client
 * switches its parser, and the client reports an error.
 */
const openMonitor = async (url: string): Promise<Redis> => {
	const monitor = new Redis(url, { monitor: true });
	const early = () => {};
	monitor.on("error", early);
	await new Promise((resolve) => monitor.once("monitoring", resolve));
	monitor.off("error", early);
	return monitor;
};

/** The same format as src/scope/data/storage.ts, duplicated on purpose: a defect there must not hide itself here. */
const ownerOf = (key: string): string => /^tenant:([^:]+):/.exec(key)?.[1] ?? PLATFORM;
