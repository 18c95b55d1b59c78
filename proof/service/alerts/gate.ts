import { connect, createServer, type Server, type Socket } from "node:net";

export type Gate = Awaited<ReturnType<typeof openGate>>;

/** A port in front of another one that can be closed, or kept open and silent. */
export const openGate = async (target: number, port: number) => {
	let isSilent = false;
	const sockets = new Set<Socket>();
	const keep = (socket: Socket): void => {
		sockets.add(socket);
		socket.on("error", () => {});
		socket.once("close", () => sockets.delete(socket));
	};
	const open = async (): Promise<Server> => {
		const server = createServer((socket) => {
			keep(socket);
			if (isSilent) return;
			const other = connect(target, "127.0.0.1");
			keep(other);
			socket.pipe(other).pipe(socket);
		});
		await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
		return server;
	};
	const cut = (): void => {
		for (const socket of sockets) socket.destroy();
	};
	let server: Server | null = await open();
	const close = async (): Promise<void> => {
		const closing = server;
		server = null;
		cut();
		if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()));
	};
	return {
		/** connections are refused */
		close,
		/** connections are accepted, and nothing is said on them */
		silence: (): void => {
			isSilent = true;
			cut();
		},
		open: async (): Promise<void> => {
			isSilent = false;
			cut();
			server ??= await open();
		},
	};
};
