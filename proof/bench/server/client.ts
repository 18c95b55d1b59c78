import { codeOf, parseBody } from "test-kit/load/answer-body";
import { Pool } from "undici";
import { ADDRESS_HEADER, MANAGEMENT_KEY } from "./settings.ts";

export type Answer = {
	/** 0 if there was none */
	status: number;
	code: string | null;
	json: unknown;
	/** the cookies that it set, as sent back */
	cookie: string;
	/** the next page of a list */
	next: string | null;
};

export type Sent = {
	body?: object;
	tenant?: string;
	cookie?: string;
	/** with the management key */
	operator?: boolean;
	/** the caller's address, as a proxy sets it */
	address?: string;
};

export type Client = ReturnType<typeof openClient>;

type ClientOptions = {
	/** further requests wait for a connection */
	connections: number;
	/** a new connection per request, like probes without keep-alive; otherwise connections are kept */
	reconnects?: boolean;
};

/** Sends requests to a server. */
export const openClient = (origin: string, { connections, reconnects = false }: ClientOptions) => {
	const pool = new Pool(origin, {
		connections,
		pipelining: 1,
		// a deletion responds when it is complete
		headersTimeout: 0,
		bodyTimeout: 0,
		// an overloaded server accepts late
		connectTimeout: 120_000,
		keepAliveTimeout: 60_000,
	});
	const client = {
		/** The response to one request; `path` is below the engine's base path, except `/health`. */
		send: async (path: string, { body, tenant, cookie, operator, address }: Sent = {}): Promise<Answer> => {
			const headers: Record<string, string> = { origin };
			if (body) headers["content-type"] = "application/json";
			if (tenant) headers["x-tenant-id"] = tenant;
			if (cookie) headers.cookie = cookie;
			if (operator) headers.authorization = `Bearer ${MANAGEMENT_KEY}`;
			if (address) headers[ADDRESS_HEADER] = address;
			try {
				const response = await pool.request({
					path: path === "/health" ? path : `/api/auth${path}`,
					method: body ? "POST" : "GET",
					reset: reconnects,
					headers,
					body: body ? JSON.stringify(body) : null,
				});
				const json = parseBody(await response.body.text());
				return {
					status: response.statusCode,
					code: codeOf(json),
					json,
					cookie: [response.headers["set-cookie"] ?? []].flat().map(withoutAttributes).join("; "),
					next: /<([^>]+)>; rel="next"/.exec(String(response.headers.link ?? ""))?.[1] ?? null,
				};
			} catch (error) {
				const code = error instanceof Error ? error.message : String(error);
				return { status: 0, code, json: null, cookie: "", next: null };
			}
		},
		/** Opens this many connections in advance. */
		connect: async (count: number): Promise<void> =>
			void (await Promise.all(Array.from({ length: count }, () => client.send("/health")))),
		close: (): Promise<void> => pool.destroy(),
	};
	return client;
};

/** The status and code of a response. */
export const outcomeOf = ({ status, code }: Pick<Answer, "status" | "code">): string =>
	[status, code].filter((part) => part !== null).join(" ");

/** A response that must be a success. */
export const orThrow = (answer: Answer): Answer => {
	if (answer.status === 200) return answer;
	throw new Error(`returned ${answer.status} ${answer.code} ${JSON.stringify(answer.json)}`);
};

/** A text field of a response. */
export const textOf = ({ json }: Answer, field: string): string => {
	const value = typeof json === "object" && json !== null ? (json as Record<string, unknown>)[field] : undefined;
	if (typeof value !== "string") throw new Error(`no ${field} in ${JSON.stringify(json)}`);
	return value;
};

const withoutAttributes = (line: string): string => line.split(";")[0] ?? "";
