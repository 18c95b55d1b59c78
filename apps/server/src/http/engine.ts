import type { Auth } from "../auth/create-auth.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { hungUp, internalError, notFound, tooLarge } from "./answers.ts";
import type { Caller } from "./caller.ts";
import { CLIENT_ADDRESS_HEADER } from "./client-address.ts";
import type { AppContext } from "./environment.ts";
import type { Place } from "./paths.ts";
import { readBody } from "./read-body.ts";

type EngineWith = {
	auth: Pick<Auth, "handler">;
	bodyLimit: number;
	logger: Logger;
	metrics: Metrics;
};

/** Hands a request to the engine, as it was sent to the public address, and its answer back. */
export const engine = ({ auth, bodyLimit, logger, metrics }: EngineWith) => {
	const ask = async (request: Request): Promise<Response> => {
		try {
			return await presentable(await auth.handler(request));
		} catch (error) {
			metrics.unhandledError();
			logger.error({ err: error }, "the engine failed");
			return internalError();
		}
	};
	return async (c: AppContext): Promise<Response> => {
		const { caller, place } = c.var;
		// a path that only looks like ours once it is decoded
		if (!caller || !place) return notFound();
		const body = await readBody(c.req.raw, bodyLimit);
		if ("problem" in body) return body.problem === "too-large" ? tooLarge(body.discardRest) : hungUp();
		return ask(requestFor(c, caller, place, body.bytes));
	};
};

/** Headers that speak of the way a request took. They were read already, from whom they are believed. */
const OF_THE_WAY = /^(x-forwarded-.*|forwarded|x-real-ip|content-length|transfer-encoding|connection|expect)$/;

const requestFor = (c: AppContext, caller: Caller, place: Place, body: Uint8Array<ArrayBuffer> | null): Request => {
	const headers = new Headers();
	for (const [name, value] of c.req.raw.headers) if (!OF_THE_WAY.test(name)) headers.append(name, value);
	headers.set("host", caller.host);
	headers.set("x-request-id", c.var.context.requestId);
	headers.set(CLIENT_ADDRESS_HEADER, caller.address);
	// the whole body is here now, however it was sent
	if (body) headers.set("content-length", String(body.byteLength));
	return new Request(`${caller.scheme}://${caller.host}${place.target}`, { method: c.req.method, headers, body });
};

/** The engine answers unknown paths and its own failures without a word; and some failures with too many. */
const presentable = async (response: Response): Promise<Response> => {
	if (response.status === 404 && response.body === null) return notFound();
	if (response.status === 500) return internalError(await codeOf(response));
	// redirects of the platform's own making cannot be written to
	return new Response(response.body, response);
};

const codeOf = async (response: Response): Promise<string | undefined> => {
	const body: unknown = await response.json().catch(() => null);
	if (typeof body !== "object" || body === null || !("code" in body)) return undefined;
	return typeof body.code === "string" && /^[A-Z0-9_]{1,100}$/.test(body.code) ? body.code : undefined;
};
