import { fileURLToPath } from "node:url";
import { startProcess } from "test-kit/processes";
import type { IsolationApp } from "./server.ts";
import type { AppSettings } from "./settings.ts";

/** The plugin's sources in this repository. */
export const OWN_SOURCE = fileURLToPath(new URL("../../../packages/tenants/src", import.meta.url));

/** Starts the application in a separate process and returns its address. */
export const startApp = async (settings: AppSettings) => {
	const app = startProcess<IsolationApp>(new URL("./server.ts", import.meta.url));
	try {
		return { ...app, ...(await app.call("start", settings)) };
	} catch (error) {
		await app.kill();
		throw error;
	}
};

export type RunningApp = Awaited<ReturnType<typeof startApp>>;
