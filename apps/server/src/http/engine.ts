import type { Auth } from "../auth/create-auth.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { admitPerTenant } from "./admit-per-tenant.ts";
import { hungUp, internalError, notFound, tenantBusy, tooLarge } from "./answers.ts";
import type { Caller } from "./caller.ts";
import { CLIENT_ADDRESS_HEADER } from "./client-address.ts";
import type { AppContext } from "./environment.ts";
import type { createNamedTenant } from "./named-tenant.ts";
import type { Place } from "./paths.ts";
import { readBody } from "./read-body.ts";

type EngineWith = {
	auth: Pick<Auth, "handler">;
	bodyLimit: number;
	/** requests of one tenant that are handed on at the same time */
	atOncePerTenant: number;
	namedTenant: ReturnType<typeof createNamedTenant>;
	logger: Logger;
	metrics: Metrics;
};

/** Hands a request to the engine, as it was sent to the public address, and its answer back. */
export const engine = ({ auth, bodyLimit, atOncePerTenant, namedTenant, logger, metrics }: EngineWith) => {
	const admit = admitPerTenant(atOncePerTenant, tenantBusy);
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
		const handOn = () => ask(requestFor(c, caller, place, body.bytes));
		// once the body is there: who sends one slowly takes up nobody's share
		const tenant = namedTenant({ place, host: caller.host, headers: c.req.raw.headers, body: body.bytes });
		return tenant === null ? handOn() : admit(tenant, handOn);
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
