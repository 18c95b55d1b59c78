import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the system's ephemeral ports, so no connection takes it before it is listened on. */
const LOWEST = 12_000;
const HIGHEST = 32_000;

/** A free port on loopback. */
export const freePort = async (): Promise<number> => {
	for (;;) {
		const port = randomInt(LOWEST, HIGHEST);
		if (await isFree(port)) return port;
	}
};

const isFree = (port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const server = createServer();
		server.once("error", () => resolve(false));
		server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
	});
