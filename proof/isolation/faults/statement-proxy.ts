import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Where to stop: at which statement, before it reaches the server or before its result returns. */
export type StopAt = { statement: number; side: "before" | "after" };

export type StatementProxy = Awaited<ReturnType<typeof startStatementProxy>>;

/**
 * A proxy between the application and PostgreSQL that records statements and can stop at one of them. It then holds
 * everything back, so that the application can be killed at exactly that point.
 */
export const startStatementProxy = async (target: { host: string; port: number }) => {
	let statements: string[] = [];
	let stop: { at: StopAt; tell: () => void } | null = null;
	const sockets = new Set<Socket>();

	const server = createServer((client) => {
		const upstream = connect(target);
		let held = false;
		let answerStops = false;
		for (const [socket, other] of [
			[client, upstream],
			[upstream, client],
		] as const) {
			sockets.add(socket);
			socket.setNoDelay(true);
			socket.on("error", () => {});
			socket.on("close", () => {
				sockets.delete(socket);
				other.destroy();
			});
		}
		const hold = (): void => {
			held = true;
			stop?.tell();
			stop = null;
		};
		const read = createReader();
		client.on("data", (chunk) => {
			if (held) return;
			for (const statement of read(chunk)) {
				statements.push(statement);
				if (!stop || statements.length !== stop.at.statement) continue;
				if (stop.at.side === "before") return hold();
				answerStops = true;
			}
			upstream.write(chunk);
		});
		upstream.on("data", (chunk) => {
			if (held) return;
			if (answerStops) return hold();
			client.write(chunk);
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});

	return {
		port: (server.address() as AddressInfo).port,
		/** the statements since `begin` */
		statements: (): readonly string[] => statements,
		/** Clears the record, and stops at the given point. */
		begin: (at?: StopAt, tell: () => void = () => {}): void => {
			statements = [];
			stop = at ? { at, tell } : null;
		},
		close: async (): Promise<void> => {
			for (const socket of sockets) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
};

/** Reads the statements that a PostgreSQL client sends (protocol 3.0: the first message has no type). */
const createReader = () => {
	let pending = Buffer.alloc(0);
	let started = false;
	return (chunk: Buffer): string[] => {
		pending = Buffer.concat([pending, chunk]);
		const found: string[] = [];
		for (;;) {
			const header = started ? 1 : 0;
			if (pending.length < header + 4) return found;
			const length = pending.readInt32BE(header) + header;
			if (pending.length < length) return found;
			const type = started ? String.fromCharCode(pending[0] ?? 0) : "";
			const content = pending.toString("utf8", header + 4, length);
			started = true;
			pending = pending.subarray(length);
			if (type === "Q") found.push(content.replace(/\0.*$/s, ""));
			// parse: the name, the statement, the types
			if (type === "P") found.push(content.split("\0")[1] ?? "");
		}
	};
};

/** Summarizes a statement in three words. */
export const shorten = (statement: string): string => {
	const [, verb, table] = /^\s*(\w+)(?:.*?\s(?:from|into|update)?\s*"(\w+)")?/s.exec(statement) ?? [];
	const named =
		/^(?:insert into|update|delete from) "(\w+)"/.exec(statement)?.[1] ?? /from "(\w+)"/.exec(statement)?.[1];
	return [verb, named ?? (verb && /^(begin|commit|rollback|start)$/i.test(verb) ? undefined : table)]
		.filter(Boolean)
		.join(" ");
};
