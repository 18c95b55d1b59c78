import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Commands of a process: one input, one output. */
type Calls = Record<string, (input: never) => Promise<unknown>>;
type Asked = { id: number; call: string; input: unknown };
type Answered = { id: number; answer?: unknown; error?: string };

export type RunningProcess<Known extends Calls> = {
	call: <Name extends keyof Known & string>(
		name: Name,
		...input: Parameters<Known[Name]>
	) => Promise<Awaited<ReturnType<Known[Name]>>>;
	/** everything it printed */
	output: string[];
	stop: () => Promise<void>;
	/** Kills it as a power cut would: none of its handlers run. */
	kill: () => Promise<void>;
};

/** Starts a server in its own process. It ends with `stop`, and with the process that started it. */
export const startProcess = <Known extends Calls>(
	entry: URL,
	/** options of Node and V8 */
	flags: string[] = [],
	environment: NodeJS.ProcessEnv = {},
): RunningProcess<Known> => {
	const child = fork(fileURLToPath(entry), {
		execArgv: flags,
		// Not the test runner's environment, in which the engine turns its origin checks off.
		env: { PATH: process.env.PATH, NODE_ENV: "production", ...environment },
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
	const output: string[] = [];
	for (const stream of [child.stdout, child.stderr])
		stream?.setEncoding("utf8").on("data", (text) => output.push(text));

	const waiting = new Map<number, (answered: Answered) => void>();
	child.on("message", (answered: Answered) => waiting.get(answered.id)?.(answered));
	child.on("exit", (code) => {
		const error = `The process ended with ${code}: ${output.join("")}`;
		for (const [id, settle] of waiting) settle({ id, error });
	});

	let last = 0;
	return {
		output,
		call: (call, input?: unknown) =>
			new Promise((resolve, reject) => {
				const id = ++last;
				waiting.set(id, ({ answer, error }) => {
					waiting.delete(id);
					if (error === undefined) resolve(answer as never);
					else reject(new Error(error));
				});
				child.send(
					{ id, call, input } satisfies Asked,
					(error) => error && waiting.get(id)?.({ id, error: error.message }),
				);
			}),
		stop: () => end(child),
		kill: async () => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, "exit");
			child.kill("SIGKILL");
			await ended;
		},
	};
};

const end = async (child: ChildProcess): Promise<void> => {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "exit");
	child.kill("SIGTERM");
	const inTime = await Promise.race([ended.then(() => true), wait(30_000, false, { ref: false })]);
	if (inTime) return;
	child.kill("SIGKILL");
	await ended;
	throw new Error(`Process ${child.pid} did not end by itself`);
};

/** The other side: replies to the tests, and ends when they do. */
export const answerCalls = (calls: Calls, close: () => Promise<void>): void => {
	process.on("message", async ({ id, call, input }: Asked) => {
		let answered: Answered;
		try {
			answered = { id, answer: await calls[call]?.(input as never) };
		} catch (error) {
			// the engine's errors have an empty stack
			answered = { id, error: error instanceof Error ? error.stack || error.message : String(error) };
		}
		process.send?.(answered);
	});
	const leave = () => void close().finally(() => process.exit());
	process.once("SIGTERM", leave);
	process.once("disconnect", leave);
};
