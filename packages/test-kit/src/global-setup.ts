import { startTestServers } from "./servers/test-servers.ts";

let stop: (() => Promise<void>) | undefined;

/** Vitest's `globalSetup`: several projects of one run share the servers that the first of them starts. */
export const setup = async (): Promise<void> => {
	stop = await startTestServers();
};

export const teardown = async (): Promise<void> => stop?.();
