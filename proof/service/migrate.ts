import { startChild } from "test-kit/servers/child";
import type { Environment } from "test-kit/service/service";
import { SERVICE_MAIN } from "./service-main.ts";

/** Runs `migrate` of this version, and returns its exit code and its output. */
export const migrate = async (environment: Environment, ...options: string[]) => {
	const child = startChild(process.execPath, [SERVICE_MAIN, "migrate", ...options], {
		env: { PATH: process.env.PATH, ...environment },
	});
	return { code: await child.exited, text: child.lines.join("\n") };
};
