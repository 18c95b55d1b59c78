import { startTestServers } from "./servers/test-servers.ts";

let stop: (() => Promise<void>) | undefined;

/** Vitest's `globalSetup`: the projects of a run share the servers that the first one starts. */
export const setup = async (): Promise<void> => {
	stop = await startTestServers();
};

export const teardown = async (): Promise<void> => stop?.();
