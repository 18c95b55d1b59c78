import { startProcess } from "test-kit/processes";
import { endWithProcess } from "test-kit/servers/end-with-process";
import type { BenchServer } from "./server.ts";
import type { ServerSettings } from "./settings.ts";

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Starts a server in a separate process and returns its address. */
export const startServer = async (settings: ServerSettings) => {
	const server = startProcess<BenchServer>(new URL("./server.ts", import.meta.url));
	const callOff = endWithProcess(() => void server.kill());
	const close = async (): Promise<void> => {
		await server.kill();
		callOff();
	};
	try {
		return { ...(await server.call("start", settings)), call: server.call, output: server.output, close };
	} catch (error) {
		await close();
		throw error;
	}
};
