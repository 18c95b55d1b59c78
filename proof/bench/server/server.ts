import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { toNodeHandler } from "better-auth/node";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { answerCalls } from "test-kit/processes";
import { buildAuth } from "./build-auth.ts";
import { POOL_SIZE, type ServerSettings } from "./settings.ts";
import { watchLoad } from "./watch-load.ts";

// A server in a separate process: the engine with tenants behind node:http, and a health route, also on a separate
// port.

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const closing: (() => Promise<unknown>)[] = [];
let readLoad: ReturnType<typeof watchLoad> | null = null;

const start = async (settings: ServerSettings) => {
	const pool = new Pool({ connectionString: settings.databaseURL, max: POOL_SIZE });
	const redis = settings.redis ? new Redis(settings.redis.url) : null;
	const server = createServer();
	// does not close a connection that a client keeps
	server.keepAliveTimeout = 120_000;
	const origin = await listen(server);
	const healthOrigin = await listen(createServer((_request, response) => void response.end("ok")));
	closing.push(
		() => pool.end(),
		async () => redis?.disconnect(),
	);
	const handle = toNodeHandler(await buildAuth(settings, { baseURL: origin, pool, redis }));
	server.on("request", (request, response) => {
		if (request.url === "/health") return void response.end("ok");
		handle(request, response).catch((error: unknown) => {
			console.error(error);
			if (!response.headersSent) response.writeHead(500);
			response.end();
		});
	});
	readLoad = watchLoad(pool);
	return { origin, healthOrigin };
};

const listen = async (server: Server): Promise<string> => {
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		// allows a thousand connections at once without the system refusing any
		server.listen({ port: 0, host: "127.0.0.1", backlog: 2_048 }, resolve);
	});
	closing.push(async () => server.close(() => {}).closeAllConnections());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const calls = {
	start,
	/** memory in use, after garbage collection */
	memory: async () => {
		collect();
		const { heapUsed, external, rss } = process.memoryUsage();
		return { heapUsed, external, rss };
	},
	/** the load since the last call */
	load: async () => readLoad?.(),
};
export type BenchServer = typeof calls;

answerCalls(calls, async () => {
	for (const close of closing) await close();
});
