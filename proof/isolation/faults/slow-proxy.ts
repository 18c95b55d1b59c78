import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** Forwards everything to a port on loopback in both directions, with delayed responses or none. */
export const startSlowProxy = async (port: number) => {
	let delayMs = 0;
	const sockets = new Set<Socket>();
	const server = createServer((client) => {
		const upstream = connect(port, "127.0.0.1");
		for (const [from, to] of [
			[client, upstream],
			[upstream, client],
		] as const) {
			sockets.add(from);
			from.on("error", () => {});
			from.on("close", () => {
				sockets.delete(from);
				to.destroy();
			});
			// in order, even when the delay shrinks
			let last = Promise.resolve();
			from.on("data", (chunk) => {
				const due = Date.now() + (from === upstream ? delayMs : 0);
				last = last
					// a long delay does not keep this process alive
					.then(() => wait(Math.max(due - Date.now(), 0), undefined, { ref: false }))
					.then(() => void (to.destroyed || to.write(chunk)));
			});
		}
	});
	const listen = (at: number): Promise<void> =>
		new Promise((resolve, reject) => {
			server.once("error", reject);
			server.listen(at, "127.0.0.1", resolve);
		});
	await listen(0);
	const { port: own } = server.address() as AddressInfo;
	/** Ends connections and refuses new ones. */
	const shut = async (): Promise<void> => {
		for (const socket of sockets) socket.destroy();
		if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
	};
	return {
		port: own,
		/** the delay of responses from now on */
		delay: (ms: number): void => {
			delayMs = ms;
		},
		shut,
		open: () => listen(own),
	};
};
