import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { endWithProcess } from "./end-with-process.ts";

/** A program that this run starts and ends. Its last output is kept, for the error if it ends by itself. */
export const startChild = (program: string, args: string[], options: SpawnOptions = {}) => {
	const child: ChildProcess = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
	const lines: string[] = [];
	const keep = (chunk: Buffer): void => {
		lines.push(...String(chunk).split("\n").filter(Boolean));
		lines.splice(0, Math.max(0, lines.length - 500));
	};
	child.stdout?.on("data", keep);
	child.stderr?.on("data", keep);
	let failed: Error | null = null;
	const exited = new Promise<number | null>((resolve) => {
		child.once("close", resolve);
		child.once("error", (error) => {
			failed = error;
			resolve(null);
		});
	});
	const isOver = (): boolean => failed !== null || child.exitCode !== null || child.signalCode !== null;
	const callOff = endWithProcess(() => child.kill("SIGKILL"));
	void exited.then(callOff);
	return {
		pid: child.pid,
		lines,
		isOver,
		/** null if a signal ended it */
		exited,
		/** Ends it and waits until it has exited. */
		end: async (signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> => {
			if (!isOver()) child.kill(signal);
			return exited;
		},
		/** Waits until `ready`. Throws with the last output if it exits before. */
		until: async (ready: () => Promise<boolean>, seconds = 120): Promise<void> => {
			const deadline = Date.now() + seconds * 1000;
			for (;;) {
				if (isOver()) throw new Error(`${program} ended: ${failed ?? lines.slice(-20).join("\n")}`);
				if (await ready().catch(() => false)) return;
				if (Date.now() > deadline) throw new Error(`${program} is not ready: ${lines.slice(-20).join("\n")}`);
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
		},
	};
};
