import { startChild } from "../servers/child.ts";
import { freePort } from "../servers/free-port.ts";

export type Environment = Record<string, string>;
export type Service = Awaited<ReturnType<typeof startService>>;

/** How to run the service: its command-line file and environment. */
export type Command = { main: string; environment: Environment };

/** Runs one command of the service to its end. */
export const runCommand = async ({ main, environment }: Command, ...args: string[]) => {
	const child = startChild(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, ...environment } });
	const code = await child.exited;
	if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${child.lines.join("\n")}`);
	return child.lines;
};

/** One process of the service, at its own port. */
export const startService = async ({ main, environment }: Command, port?: number) => {
	const at = port ?? (await freePort());
	const start = async (changed: Environment = {}, program = main) => {
		const child = startChild(process.execPath, [program, "serve"], {
			env: { PATH: process.env.PATH, ...environment, ...changed, PORT: String(at) },
		});
		// where its probes are
		const probes = Number({ ...environment, ...changed }.METRICS_PORT ?? 0) || at;
		await child.until(async () => (await fetch(`http://127.0.0.1:${probes}/readyz`)).ok);
		return child;
	};
	let child = await start();
	return {
		port: at,
		origin: `http://127.0.0.1:${at}`,
		lines: () => child.lines,
		stop: (signal?: NodeJS.Signals) => child.end(signal),
		/** sends a signal and does not wait, such as SIGSTOP and SIGCONT */
		signal: (signal: NodeJS.Signals): void => {
			if (child.pid !== undefined && !child.isOver()) process.kill(child.pid, signal);
		},
		/**
		 * Like a deployment: the old process ends gracefully, then a new one starts, with changes to its environment, or of
		 * another version.
		 */
		restart: async (changed?: Environment, program?: string): Promise<number | null> => {
			const code = await child.end();
			child = await start(changed, program);
			return code;
		},
	};
};
