import { type AddressInfo, connect, createServer } from "node:net";

/** Stands before a server on loopback and lets everything that is sent to it wait: a network that is far. */
export const startSlowProxy = async (port: number, milliseconds: number) => {
	const server = createServer((near) => {
		const far = connect(port, "127.0.0.1");
		near.on("data", (chunk) => setTimeout(() => far.writable && far.write(chunk), milliseconds));
		far.on("data", (chunk) => near.writable && near.write(chunk));
		near.on("close", () => far.destroy()).on("error", () => far.destroy());
		far.on("close", () => near.destroy()).on("error", () => near.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};
