import type { Command } from "commander";
import { JSON_OPTION } from "./client-command.ts";

/** `serve` */
export const addServe = (program: Command): void => {
	program
		.command("serve")
		.description(
			"Serve the API until SIGTERM. Requests in flight are completed first; a second signal exits immediately",
		)
		.option(...JSON_OPTION)
		.addHelpText("after", "\nExample:\n  $ tenants migrate && tenants serve")
		.action(async ({ json }: { json?: boolean }) => {
			const stop = waitForSignal();
			// loaded here, so other commands start without the engine
			const { readConfig } = await import("../config/config.ts");
			const config = readConfig(process.env);
			const { serve } = await import("../serve/serve.ts");
			const { EXIT_LIMIT } = await import("../serve/longest-shutdown.ts");
			const service = await Promise.race([serve(config), stop]);
			// it serves nobody yet, and may wait for a database that never responds
			if (!service) process.exit(0);
			const { host, publicURL, basePath } = config.http;
			const address = `http://${host.includes(":") ? `[${host}]` : host}:${service.port}`;
			// stdout carries the log, one JSON object per line
			if (json) console.log(JSON.stringify({ address, port: service.port, metricsPort: service.metricsPort }));
			else console.error(`Listening on ${address} for ${publicURL}${basePath}`);
			await stop;
			await service.close();
			// exit even if something keeps the process alive
			setTimeout(() => process.exit(), EXIT_LIMIT).unref();
		});
};

/** Resolves on the first signal. The second signal ends the process. */
const waitForSignal = (): Promise<void> =>
	new Promise((resolve) => {
		let signals = 0;
		const onSignal = (_signal: NodeJS.Signals, number: number): void => {
			signals += 1;
			if (signals > 1) process.exit(128 + number);
			resolve();
		};
		process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
	});
