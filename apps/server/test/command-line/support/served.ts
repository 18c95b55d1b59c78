import type { Environment } from "../../../src/config/secret-files.ts";
import { createWorld } from "../../support/world.ts";
import { startGateway } from "./gateway.ts";
import { runCommand } from "./run-command.ts";

/** The real server on its own database, a gateway in front, and the command line connected to it. */
export const createServed = async (environment: Environment = {}) => {
	const world = await createWorld({ environment: { MANAGEMENT_TRANSFER: "true", ...environment } });
	const service = await world.start();
	const gateway = await startGateway(service.url);
	const env = { AUTH_URL: gateway.url, MANAGEMENT_KEY: world.config.management.keys[0] ?? "" };
	return {
		world,
		service,
		gateway,
		env,
		/** runs a command with the address and key in its environment */
		run: (args: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
			runCommand(args, { ...options, env: { ...env, ...options.env } }),
		close: async () => {
			await gateway.close();
			await world.close();
		},
	};
};

export type Served = Awaited<ReturnType<typeof createServed>>;
