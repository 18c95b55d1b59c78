import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare } from "miniflare";
import { createDatabase } from "test-kit/run-database";
import * as z from "zod";
import { bundleWorker, programOf } from "./install.ts";
import { type Runtime, WORKERD } from "./runtimes.ts";

/** A running server, and what a check needs to know about it. */
export type Started = {
	origin: string;
	managementKey: string;
	secret: string;
	/** only of a database that can be read from outside */
	databaseURL?: string;
	database: string;
	variants: [name: string, path: string][];
	scrypt: boolean;
	stop: () => Promise<void>;
};

const token = () => randomBytes(24).toString("hex");

const freePort = (): Promise<number> =>
	new Promise((resolve, reject) => {
		const server = createServer();
		server.once("error", reject).listen(0, "127.0.0.1", () => {
			const address = server.address();
			server.close(() =>
				typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
			);
		});
	});

/** Starts the server in a process of the runtime, on a PostgreSQL database of its own. */
export const startProcess = async (runtime: Runtime, folder: string): Promise<Started> => {
	const program = await programOf(runtime);
	const [database, port, managementKey, secret] = [await createDatabase(), await freePort(), token(), token()];
	const child = spawn(program, [...runtime.args, "serve.ts"], {
		cwd: folder,
		stdio: ["ignore", "pipe", "pipe"],
		env: {
			PATH: process.env.PATH,
			HOME: folder,
			PORT: String(port),
			DATABASE_URL: database.url,
			SECRET: secret,
			MANAGEMENT_KEY: managementKey,
		},
	});
	let printed = "";
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding("utf8").on("data", (chunk: string) => {
			printed = (printed + chunk).slice(-4000);
		});
	const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
	const stop = async () => {
		child.kill("SIGKILL");
		await ended;
		await database.drop();
	};
	const origin = `http://127.0.0.1:${port}`;
	const probed = probe(origin, () => child.exitCode !== null).catch(async (error: unknown) => {
		await stop();
		throw new Error(`${runtime.title} does not start: ${String(error)}\n${printed}`);
	});
	const common = { origin, managementKey, secret, stop, databaseURL: database.url, database: "PostgreSQL" };
	return { ...common, ...(await probed) };
};

/** Starts the server in workerd, on D1. */
export const startWorkerd = async (folder: string): Promise<Started> => {
	const [scriptPath, port, managementKey, secret] = [await bundleWorker(folder), await freePort(), token(), token()];
	const origin = `http://127.0.0.1:${port}`;
	const workers = new Miniflare({
		// named one by one, because Better Auth imports optional packages by a computed name
		modules: [{ type: "ESModule", path: scriptPath }],
		modulesRoot: folder,
		port,
		host: "127.0.0.1",
		d1Databases: ["DB"],
		compatibilityDate: WORKERD.compatibilityDate,
		compatibilityFlags: ["nodejs_compat"],
		bindings: { ORIGIN: origin, SECRET: secret, MANAGEMENT_KEY: managementKey },
	});
	const stop = () => workers.dispose();
	try {
		await workers.ready;
		return { origin, managementKey, secret, stop, database: "D1", ...(await probe(origin, () => false)) };
	} catch (error) {
		await stop();
		throw error;
	}
};

const probed = z.object({ variants: z.array(z.tuple([z.string(), z.string()])), scrypt: z.boolean() });

/** Waits until the server answers, creates the tables and hashes a password with Better Auth's own function. */
const probe = async (origin: string, hasEnded: () => boolean) => {
	for (let attempt = 0; ; attempt++) {
		const answer = await fetch(`${origin}/probe`).catch(() => null);
		if (answer?.ok) return probed.parse(await answer.json());
		if (answer) throw new Error(`/probe returned ${answer.status}: ${(await answer.text()).slice(0, 2000)}`);
		if (hasEnded() || attempt > 600) throw new Error("nobody listens");
		await sleep(100);
	}
};
