import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "better-auth/node";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { answerCalls } from "test-kit/processes";
import { KEEP_ALIVE } from "test-kit/servers/keep-alive";
import { buildAuth, reencryptAll } from "./build-auth.ts";
import { describeEndpoints, type EndpointDescription } from "./describe-endpoints.ts";
import { type AppSettings, type Message, OUTBOX_HEADER } from "./settings.ts";

// The application under attack in a separate process: only the engine behind node:http.

const closing: (() => Promise<unknown>)[] = [];
/** unhandled errors, which the attacks read at the end */
const unhandled: string[] = [];
for (const event of ["unhandledRejection", "uncaughtException"] as const) {
	process.on(event, (error: unknown) => {
		unhandled.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
	});
}

let endpoints: EndpointDescription[] = [];

/** by default ioredis retries twenty times, and waits without a limit for a hanging server */
const REDIS = { maxRetriesPerRequest: 1, commandTimeout: 5_000 };

/** set after the start */
let reencrypt = (_batchSize: number): ReturnType<typeof reencryptAll> => Promise.reject(new Error("not started"));

const start = async (settings: AppSettings) => {
	const pool = new Pool({ connectionString: settings.databaseURL, max: settings.poolSize ?? 10 });
	// a connection that the server ended, idle or in use: the pool opens another, and the statement fails
	pool.on("error", () => {});
	pool.on("connect", (client) => client.on("error", () => {}));
	const redis = settings.redis ? new Redis(settings.redis.url, REDIS) : null;
	redis?.on("error", () => {});
	const server = createServer(KEEP_ALIVE);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(settings.port ?? 0, "127.0.0.1", resolve);
	});
	closing.push(
		async () => server.close(() => {}).closeAllConnections(),
		() => pool.end(),
		async () => redis?.disconnect(),
	);

	const outbox = new AsyncLocalStorage<Message[]>();
	const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
	const post = (message: Message) => void outbox.getStore()?.push(message);
	const auth = await buildAuth(settings, { baseURL: origin, pool, redis, post });
	endpoints = describeEndpoints(auth.api);
	reencrypt = (batchSize) => reencryptAll(settings, auth, batchSize);
	const handle = toNodeHandler(async (request: Request) => {
		const sent: Message[] = [];
		const response = await outbox.run(sent, () => auth.handler(request));
		if (sent.length === 0) return response;
		const headers = new Headers(response.headers);
		headers.set(OUTBOX_HEADER, Buffer.from(JSON.stringify(sent)).toString("base64"));
		return new Response(response.body, { status: response.status, headers });
	});
	server.on("request", (request, response) => {
		if (!isRequest(request)) return void response.writeHead(400).end();
		handle(request, response).catch((error: unknown) => {
			unhandled.push(`request: ${error instanceof Error ? error.stack : String(error)}`);
			if (!response.headersSent) response.writeHead(500);
			response.end();
		});
	});
	return { origin, pid: process.pid };
};

/**
 * Whether a `Request` can be created. The engine's node adapter throws if not (an invalid Host, TRACE), outside of its
 * own error handling, so an application on node:http must respond itself.
 */
const isRequest = ({ method = "", url, headers }: IncomingMessage): boolean => {
	try {
		new Request(`${headers["x-forwarded-proto"] ?? "http"}://${headers.host}${url}`, { method });
		return true;
	} catch {
		return false;
	}
};

const calls = {
	start,
	unhandled: async () => unhandled,
	reencrypt: (batchSize: number) => reencrypt(batchSize),
	/** names that would appear on a polluted prototype */
	prototypes: async () => [Object.prototype, Array.prototype, Function.prototype].flatMap((one) => Object.keys(one)),
	/** the HTTP endpoints of the engine and of every plugin */
	endpoints: async () => endpoints,
	memory: async () => process.memoryUsage(),
};
export type IsolationApp = typeof calls;

answerCalls(calls, async () => {
	for (const close of closing) await close();
});
