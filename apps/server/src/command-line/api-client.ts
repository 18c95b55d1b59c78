import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod";
import { ApiError, CommandError } from "./command-error.ts";
import type { Connection } from "./connection.ts";
import { connectionFailure, refusalOf } from "./failures.ts";
import { type HttpAnswer, sendRequest } from "./http-request.ts";
import { ATTEMPTS, waitBefore } from "./retry.ts";

export type ApiClient = ReturnType<typeof createApiClient>;

type Call<Answer> = {
	/** the shape of the response; extra fields are kept */
	answer: z.ZodType<Answer>;
	query?: Record<string, string | number | undefined>;
	/** a JSON value, or its text */
	body?: unknown;
	/** whether the call is idempotent; if so, it is retried when its outcome is unknown */
	repeatable?: boolean;
	patience?: keyof typeof ATTEMPTS;
	/** seconds */
	timeout?: number;
};

type ClientOptions = Connection & {
	/** called before each wait */
	onWait?: (seconds: number, why: CommandError) => void;
};

/** Calls the HTTP API with a management key. */
export const createApiClient = ({ baseURL, key, onWait }: ClientOptions) => {
	let wasReached = false;
	let pausedUntil = 0;

	const send = async <Answer>(method: "GET" | "POST", path: string, call: Call<Answer>): Promise<HttpAnswer> => {
		const url = new URL(`${baseURL}${path}`);
		for (const [name, value] of Object.entries(call.query ?? {}))
			if (value !== undefined) url.searchParams.set(name, String(value));
		const body = textOf(call.body);
		const headers = {
			authorization: `Bearer ${key}`,
			accept: "application/json",
			...(body === undefined ? {} : { "content-type": "application/json" }),
		};
		const retry = { attempts: ATTEMPTS[call.patience ?? "short"], repeatable: call.repeatable ?? method === "GET" };
		let isRepeated = false;
		for (let attempt = 1; ; attempt += 1) {
			// a rate limit applies to all calls in flight
			if (pausedUntil > Date.now()) await sleep(pausedUntil - Date.now());
			let answer: HttpAnswer | null = null;
			let failure: CommandError | null = null;
			try {
				answer = await sendRequest({ method, url, headers, body, timeout: call.timeout ?? 60 });
				wasReached = true;
				if (answer.status >= 200 && answer.status < 300) return answer;
				failure = refusalOf(answer, { baseURL, path, isRepeated });
			} catch (error) {
				failure = connectionFailure(error, baseURL);
				// an address that was never reached is a mistake to report, not an outage to wait for
				if (!wasReached) throw failure;
			}
			const seconds = waitBefore(answer, { attempt, ...retry });
			if (seconds === null) throw failure;
			if (answer?.status === 429) pausedUntil = Math.max(pausedUntil, Date.now() + seconds * 1000);
			else isRepeated = true;
			onWait?.(seconds, failure);
			await sleep(seconds * 1000);
		}
	};

	const read = <Answer>({ text }: HttpAnswer, { answer }: Call<Answer>): Answer => {
		const parsed = answer.safeParse(parseJson(text));
		if (parsed.success) return parsed.data;
		throw new CommandError("UNEXPECTED_ANSWER", `${baseURL} returned a response that is not from the API`, {
			fix: "Check that --url is the address of the API, and that the server and this command have the same version.",
		});
	};

	return {
		get: async <Answer>(path: string, call: Call<Answer>): Promise<Answer> => read(await send("GET", path, call), call),
		post: async <Answer>(path: string, call: Call<Answer>): Promise<Answer> =>
			read(await send("POST", path, call), call),
		/** All pages of a list. Each page is fetched when the previous one has been consumed. */
		pages: async function* <Answer>(path: string, call: Call<Answer>): AsyncGenerator<Answer> {
			for (let cursor: string | undefined; ; ) {
				const answer = await send("GET", path, { ...call, query: { ...call.query, cursor } });
				yield read(answer, call);
				const next = nextCursor(answer);
				if (next === null) return;
				if (next === cursor)
					throw new ApiError(answer.status, "UNEXPECTED_ANSWER", "The next page is the same as this one");
				cursor = next;
			}
		},
	};
};

/**
 * Reads only the cursor from the Link header (RFC 8288). The key is sent to the configured address and nowhere else.
 */
const nextCursor = ({ headers }: HttpAnswer): string | null => {
	const link = typeof headers.link === "string" ? headers.link : "";
	for (const one of link.split(",")) {
		const [target = "", ...parameters] = one.split(";").map((part) => part.trim());
		if (!parameters.some((parameter) => parameter === "rel=next" || parameter === 'rel="next"')) continue;
		return URL.parse(target.replace(/^<|>$/g, ""), "http://localhost")?.searchParams.get("cursor") ?? null;
	}
	return null;
};

const textOf = (body: unknown): string | undefined =>
	body === undefined || typeof body === "string" ? body : JSON.stringify(body);

const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};
