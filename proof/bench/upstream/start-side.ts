import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SetupName } from "./setups.ts";
import type { Spent, Started, Volley } from "./side-process.ts";

const PROCESS = fileURLToPath(new URL("./side-process.ts", import.meta.url));

export type Side = { endpoints: number; send: (volley: Volley) => Promise<Spent>; stop: () => Promise<void> };

/** Starts a copy of Better Auth in its own process, with users in a database in its memory. */
export const startSide = async (entry: string, setup: SetupName): Promise<Side> => {
	const child = fork(PROCESS, [entry, setup], { execArgv: ["--no-warnings"], env: sideEnvironment() });
	const ended = new Promise<never>((_, reject) => {
		child.once("exit", (code) => reject(new Error(`a side ended with ${code}`)));
	});
	// an exit rejects whoever waits; after the last message nobody does
	ended.catch(() => undefined);
	const reply = async <Message>(): Promise<Message> => {
		const [message] = (await Promise.race([once(child, "message"), ended])) as [Message];
		return message;
	};
	const { endpoints } = await reply<Started>();
	return {
		endpoints,
		send: (volley) => {
			const spent = reply<Spent>();
			child.send(volley);
			return spent;
		},
		stop: async () => {
			const gone = once(child, "exit");
			child.kill();
			await gone;
		},
	};
};

// without the URLs and secrets that Better Auth reads from the environment
const sideEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, NODE_ENV: "production" });
