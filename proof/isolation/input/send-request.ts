import { connect } from "node:net";
import type { Pool } from "undici";

/** The request as sent, with all placeholders filled in. */
export type WireRequest = {
	method: string;
	target: string;
	headers: [name: string, value: string][];
	body: Buffer | null;
};

export type WireAnswer = {
	status: number;
	/** lower-case names; repeated ones as a list */
	headers: Record<string, string[]>;
	text: string;
	milliseconds: number;
	/** null, or the error below HTTP */
	broken: string | null;
};

/** Longer than any allowed response time. A missing response is a finding. */
const TIMEOUT = 15_000;

const LEFT_TO_THE_CLIENT = /^(transfer-encoding|content-length|connection|keep-alive|upgrade|expect)$/;
const TOKEN = /^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/;

/** Sends it through the pool if an HTTP client can, otherwise byte by byte over a socket. */
export const sendRequest = async (pool: Pool, port: number, request: WireRequest): Promise<WireAnswer> => {
	if (!isOrdinary(request)) return sendOverSocket(port, request);
	const answer = await sendOverPool(pool, request);
	// a server that rejects the headers closes the connection, which another request may be using
	return answer.broken ? sendOverSocket(port, request) : answer;
};

const isOrdinary = ({ method, target, headers }: WireRequest): boolean =>
	/^[A-Z]+$/.test(method) &&
	method !== "CONNECT" &&
	target.startsWith("/") &&
	/^[\u0021-\u00ff]*$/.test(target) &&
	headers.every(
		([name, value]) =>
			TOKEN.test(name) &&
			!LEFT_TO_THE_CLIENT.test(name.toLowerCase()) &&
			/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value),
	) &&
	headers.every(([name, value]) => name.toLowerCase() !== "host" || /^localhost:\d+$/.test(value)) &&
	// Node rejects larger headers and closes the connection
	target.length + headers.join("").length < 15_000;

const sendOverPool = async (pool: Pool, { method, target, headers, body }: WireRequest): Promise<WireAnswer> => {
	const started = performance.now();
	const done = (answer: Omit<WireAnswer, "milliseconds">) => ({ ...answer, milliseconds: performance.now() - started });
	try {
		const response = await pool.request({
			method: method as "GET",
			path: target,
			headers: headers.flat(),
			body,
			signal: AbortSignal.timeout(TIMEOUT),
		});
		const text = await response.body.text();
		const answered: Record<string, string[]> = {};
		for (const [name, value] of Object.entries(response.headers)) answered[name] = [value ?? ""].flat();
		return done({ status: response.statusCode, headers: answered, text, broken: null });
	} catch (error) {
		return done({
			status: 0,
			headers: {},
			text: "",
			broken: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
		});
	}
};

const sendOverSocket = (port: number, { method, target, headers, body }: WireRequest): Promise<WireAnswer> =>
	new Promise((resolve) => {
		const started = performance.now();
		const names = new Set(headers.map(([name]) => name.toLowerCase()));
		const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
		if (!names.has("host")) lines.push(`host: localhost:${port}`);
		if (body && !names.has("content-length") && !names.has("transfer-encoding"))
			lines.push(`content-length: ${body.length}`);
		lines.push("connection: close", "", "");
		const chunks: Buffer[] = [];
		const socket = connect(port, "127.0.0.1");
		const finish = (broken: string | null) => {
			socket.destroy();
			clearTimeout(timer);
			resolve({
				...parseAnswer(Buffer.concat(chunks).toString("latin1")),
				milliseconds: performance.now() - started,
				broken,
			});
		};
		// with a body shorter than its length, the server rightly waits for the rest
		const timer = setTimeout(() => finish(null), 1_000);
		socket.on("data", (chunk) => chunks.push(chunk));
		socket.on("end", () => finish(null));
		socket.on("error", (error: NodeJS.ErrnoException) => finish(error.code === "ECONNREFUSED" ? error.message : null));
		socket.write(Buffer.from(lines.join("\r\n"), "utf8"));
		if (body) socket.write(body);
	});

/** The first response of a connection. Status 0: the server closed it or still waits for the rest of the request. */
const parseAnswer = (received: string): Pick<WireAnswer, "status" | "headers" | "text"> => {
	const [head = "", ...rest] = received.split("\r\n\r\n");
	const [first = "", ...lines] = head.split("\r\n");
	const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
	// 100 Continue, then the response
	if (status === 100) return parseAnswer(rest.join("\r\n\r\n"));
	const headers: Record<string, string[]> = {};
	for (const line of lines) {
		const colon = line.indexOf(":");
		const name = line.slice(0, colon).toLowerCase();
		headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()];
	}
	return { status, headers, text: rest.join("\r\n\r\n") };
};
