import { type AddressInfo, createServer } from "node:net";

/** A port on loopback that nobody listens on. */
export const freePort = async (): Promise<number> => {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	await new Promise<void>((resolve) => server.close(() => resolve()));
	return port;
};
