import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy in front of a server on loopback that can be cut: connections stay open, and nothing arrives. */
export const startCuttableProxy = async (port: number) => {
	let isCut = false;
	const held = new Set<() => void>();
	const sockets = new Set<Socket>();
	const pass = (from: Socket, to: Socket): void => {
		from.on("data", (chunk) => {
			const send = (): void => void (to.writable && to.write(chunk));
			if (isCut) held.add(send);
			else send();
		});
		from.on("close", () => to.destroy()).on("error", () => to.destroy());
		sockets.add(from);
		from.on("close", () => sockets.delete(from));
	};
	const server = createServer((near) => {
		const far = connect(port, "127.0.0.1");
		pass(near, far);
		pass(far, near);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		cut: (): void => {
			isCut = true;
		},
		/** What was held arrives late, as after a partition. */
		mend: (): void => {
			isCut = false;
			for (const send of held) send();
			held.clear();
		},
		close: (): void => {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	};
};
