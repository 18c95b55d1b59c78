import type { Auth } from "../auth/create-auth.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { hungUp, internalError, notFound, tooLarge } from "./answers.ts";
import type { Caller } from "./caller.ts";
import { CLIENT_ADDRESS_HEADER } from "./client-address.ts";
import type { AppContext } from "./environment.ts";
import type { Place } from "./paths.ts";
import { hostName } from "./platform-hosts.ts";
import { readBody } from "./read-body.ts";

type EngineWith = {
	auth: Pick<Auth, "handler">;
	publicURL: string;
	/** host names that count as that of the public URL */
	platformHosts: readonly string[];
	bodyLimit: number;
	logger: Logger;
	metrics: Metrics;
};

/** Passes a request to the engine with its public URL, and returns the response. */
export const engine = ({ auth, publicURL, platformHosts, bodyLimit, logger, metrics }: EngineWith) => {
	// otherwise links in mails would contain a name that only works inside of a cluster
	const hostFor = ({ host }: Caller): string =>
		platformHosts.includes(hostName(host)) ? new URL(publicURL).host : host;
	const ask = async (request: Request): Promise<Response> => {
		try {
			return await presentable(await auth.handler(request));
		} catch (error) {
			metrics.unhandledError();
			logger.error({ err: error }, "the engine threw an error");
			return internalError();
		}
	};
	return async (c: AppContext): Promise<Response> => {
		const { caller, place } = c.var;
		// a path that only matches after decoding
		if (!caller || !place) return notFound();
		const body = await readBody(c.req.raw, bodyLimit);
		if ("problem" in body) return body.problem === "too-large" ? tooLarge(body.discardRest) : hungUp();
		return ask(requestFor(c, { ...caller, host: hostFor(caller) }, place, body.bytes));
	};
};

/** Headers about the connection. They were already read from trusted sources. */
const OF_THE_WAY = /^(x-forwarded-.*|forwarded|x-real-ip|content-length|transfer-encoding|connection|expect)$/;

const requestFor = (c: AppContext, caller: Caller, place: Place, body: Uint8Array<ArrayBuffer> | null): Request => {
	const headers = new Headers();
	for (const [name, value] of c.req.raw.headers) if (!OF_THE_WAY.test(name)) headers.append(name, value);
	headers.set("host", caller.host);
	headers.set("x-request-id", c.var.context.requestId);
	headers.set(CLIENT_ADDRESS_HEADER, caller.address);
	// the body is complete now, whether or not it was chunked
	if (body) headers.set("content-length", String(body.byteLength));
	return new Request(`${caller.scheme}://${caller.host}${place.target}`, { method: c.req.method, headers, body });
};

/** The engine returns an empty body for unknown paths and for some failures, and too much detail for others. */
const presentable = async (response: Response): Promise<Response> => {
	if (response.status === 404 && response.body === null) return notFound();
	if (response.status === 500) return internalError(await codeOf(response));
	// the headers of Response.redirect() are immutable
	return new Response(response.body, response);
};

const codeOf = async (response: Response): Promise<string | undefined> => {
	const body: unknown = await response.json().catch(() => null);
	if (typeof body !== "object" || body === null || !("code" in body)) return undefined;
	return typeof body.code === "string" && /^[A-Z0-9_]{1,100}$/.test(body.code) ? body.code : undefined;
};
