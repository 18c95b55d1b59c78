import { type AddressInfo, connect, createServer } from "node:net";

/** A proxy in front of a server on loopback that delays everything sent to it, like a slow network. */
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
