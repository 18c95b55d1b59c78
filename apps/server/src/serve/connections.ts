import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";

/** Milliseconds to keep an idle connection after the port is closed, because its next request may be in transit. */
const LINGER = 500;

type Connection = { answers: Set<ServerResponse>; readBefore: number; idleSince: number };

/** Tracks a server's connections, so that it can shut down without dropping a request. */
export const trackConnections = (server: Server) => {
	const connections = new Map<Socket, Connection>();
	let isEnding = false;

	server.on("connection", (socket) => {
		// read now, because a closed socket no longer has it
		void socket.remoteAddress;
		connections.set(socket, { answers: new Set(), readBefore: 0, idleSince: performance.now() });
		socket.once("close", () => connections.delete(socket));
	});
	// runs before the request listener
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

	/** No response is in progress, and no part of the next request has arrived. */
	const isIdle = (socket: Socket, { answers, readBefore, idleSince }: Connection): boolean =>
		answers.size === 0 && socket.bytesRead === readBefore && performance.now() - idleSince >= LINGER;

	return {
		/** The responses in progress on a connection. */
		answersOn: (socket: Socket): Iterable<ServerResponse> => connections.get(socket)?.answers ?? [],
		/** From now on, every response closes its connection. New connections are still accepted. */
		sayGoodbye: (): void => {
			isEnding = true;
			for (const { answers } of connections.values()) for (const answer of answers) sayGoodbye(answer);
		},
		/** Stops accepting connections and waits until all are done or the time is up. Returns how many were cut off. */
		drain: async (milliseconds: number): Promise<number> => {
			const deadline = performance.now() + milliseconds;
			// accepts queued connections first: those still queued when the port closes are reset
			await immediate();
			const closed = performance.now();
			// http's close() ends idle connections at once, even if a request is in transit
			const ended = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
			for (const connection of connections.values()) connection.idleSince = Math.max(connection.idleSince, closed);
			while (connections.size > 0 && performance.now() < deadline) {
				for (const [socket, connection] of connections) if (isIdle(socket, connection)) socket.destroySoon();
				await sleep(20);
			}
			const left = [...connections.values()].filter(({ answers }) => answers.size > 0).length;
			server.closeAllConnections();
			await ended;
			// the port is already closed; this stops Node's timeout checks
			server.close(() => {});
			return left;
		},
	};
};

const sayGoodbye = (answer: ServerResponse): void => {
	if (!answer.headersSent) answer.setHeader("connection", "close");
};
