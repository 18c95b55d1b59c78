import type { Auth } from "../auth/create-auth.ts";
import type { Metrics } from "../measure/metrics.ts";
import type { Logger } from "../observe/logger.ts";
import { internalError, notFound, unread } from "../request/answers.ts";
import type { BodyRoom } from "../request/body-room.ts";
import type { Caller } from "../request/caller.ts";
import { CLIENT_ADDRESS_HEADER } from "../request/client-address.ts";
import type { AppContext } from "../request/environment.ts";
import { hostName } from "../request/platform-hosts.ts";
import { readBody } from "../request/read-body.ts";

type EngineWith = {
	auth: Pick<Auth, "handler">;
	publicURL: string;
	basePath: string;
	/** host names that count as that of the public URL */
	platformHosts: readonly string[];
	bodyLimit: number;
	room: BodyRoom;
	logger: Logger;
	metrics: Metrics;
};

/** A call of the service's own pages, for the caller of the current request. */
export type EngineCall = {
	method: "GET" | "POST";
	path: string;
	body?: Record<string, unknown>;
	/** as somebody without cookies */
	isAnonymous?: boolean;
};

/**
 * Passes requests to the engine with their public URL, and returns its responses. `handle` is for requests to the API, `ask`
 * for calls that a page makes for its visitor: with the visitor's headers, so limits and origin checks apply to both.
 */
export const engine = ({ auth, publicURL, basePath, platformHosts, bodyLimit, room, logger, metrics }: EngineWith) => {
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
	const handle = async (c: AppContext): Promise<Response> => {
		const { caller, place } = c.var;
		// a path that only matches after decoding
		if (!caller || !place) return notFound();
		const body = await readBody(c.req.raw, bodyLimit, room);
		if ("problem" in body) return unread(body);
		const target = place.path === ERROR_PAGE ? withoutDescription(place.target) : place.target;
		return ask(requestFor(c, { ...caller, host: hostFor(caller) }, { method: c.req.method, target, body: body.bytes }));
	};
	const askFor = async (c: AppContext, { method, path, body, isAnonymous }: EngineCall): Promise<Response> => {
		const { caller } = c.var;
		if (!caller) return notFound();
		const bytes = body ? new TextEncoder().encode(JSON.stringify(body)) : null;
		const sent = { method, target: `${basePath}${path}`, body: bytes };
		const request = requestFor(c, { ...caller, host: hostFor(caller) }, sent);
		request.headers.set("accept", "application/json");
		if (isAnonymous) request.headers.delete("cookie");
		if (body) request.headers.set("content-type", "application/json");
		else request.headers.delete("content-type");
		return ask(request);
	};
	return { handle, ask: askFor };
};

type Sent = { method: string; target: string; body: Uint8Array<ArrayBuffer> | null };

const ERROR_PAGE = "/error";

/** The engine's error page shows `error_description`. Anyone can write it into a link, and the page is on a tenant's host. */
const withoutDescription = (target: string): string => {
	const { pathname, searchParams } = new URL(target, "http://localhost");
	searchParams.delete("error_description");
	return `${pathname}?${searchParams}`;
};

/** Headers about the connection. They were already read from trusted sources. */
const OF_THE_WAY = /^(x-forwarded-.*|forwarded|x-real-ip|content-length|transfer-encoding|connection|expect)$/;

const requestFor = (c: AppContext, caller: Caller, { method, target, body }: Sent): Request => {
	const headers = new Headers();
	for (const [name, value] of c.req.raw.headers) if (!OF_THE_WAY.test(name)) headers.append(name, value);
	headers.set("host", caller.host);
	headers.set("x-request-id", c.var.context.requestId);
	headers.set(CLIENT_ADDRESS_HEADER, caller.address);
	// the body is complete now, whether or not it was chunked
	if (body) headers.set("content-length", String(body.byteLength));
	return new Request(`${caller.scheme}://${caller.host}${target}`, { method, headers, body });
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
