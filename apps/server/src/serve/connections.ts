import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";

/** Milliseconds that a connection without a request is kept after the port is closed: its next one may be on its way. */
const LINGER = 500;

type Connection = { answers: Set<ServerResponse>; readBefore: number; idleSince: number };

/** Keeps track of a server's connections, so that it can end without dropping a request. */
export const trackConnections = (server: Server) => {
	const connections = new Map<Socket, Connection>();
	let isEnding = false;

	server.on("connection", (socket) => {
		// asked for now, since a socket that is closed does not tell any more
		void socket.remoteAddress;
		connections.set(socket, { answers: new Set(), readBefore: 0, idleSince: performance.now() });
		socket.once("close", () => connections.delete(socket));
	});
	// ahead of the listener that answers
	server.prependListener("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
		const connection = connections.get(socket);
		connection?.answers.add(answer);
		if (isEnding) sayGoodbye(answer);
		answer.once("close", () => {
			if (!connection) return;
			connection.answers.delete(answer);
			connection.readBefore = socket.bytesRead;
			connection.idleSince = performance.now();
		});
	});

	/** Nothing is being answered, and no part of a next request has arrived. */
	const isIdle = (socket: Socket, { answers, readBefore, idleSince }: Connection): boolean =>
		answers.size === 0 && socket.bytesRead === readBefore && performance.now() - idleSince >= LINGER;

	return {
		/** The answers that are under way on a connection. */
		answersOn: (socket: Socket): Iterable<ServerResponse> => connections.get(socket)?.answers ?? [],
		/** Every answer from now on is the last one of its connection. New connections are still taken. */
		sayGoodbye: (): void => {
			isEnding = true;
			for (const { answers } of connections.values()) for (const answer of answers) sayGoodbye(answer);
		},
		/** Takes no more connections, and waits until all are done or the time is up. Answers how many were cut off. */
		drain: async (milliseconds: number): Promise<number> => {
			const deadline = performance.now() + milliseconds;
			// right after new connections were taken in: those that still queue when the port is closed are reset
			await immediate();
			const closed = performance.now();
			// http's own close() ends idle connections at once, with whatever request is on its way to them
			const ended = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
			for (const connection of connections.values()) connection.idleSince = Math.max(connection.idleSince, closed);
			while (connections.size > 0 && performance.now() < deadline) {
				for (const [socket, connection] of connections) if (isIdle(socket, connection)) socket.destroySoon();
				await sleep(20);
			}
			const left = [...connections.values()].filter(({ answers }) => answers.size > 0).length;
			server.closeAllConnections();
			await ended;
			// the port is closed already; this ends node's watch over time-outs
			server.close(() => {});
			return left;
		},
	};
};

const sayGoodbye = (answer: ServerResponse): void => {
	if (!answer.headersSent) answer.setHeader("connection", "close");
};
