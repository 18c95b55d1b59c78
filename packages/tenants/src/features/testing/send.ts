import type { AuthContext } from "@better-auth/core";
import { createTenantHandler } from "../handler/create-tenant-handler.ts";
import type { Endpoint } from "./endpoints.ts";
import type { TenantIsolationAuth, TenantIsolationOptions } from "./options.ts";
import type { QuietLog } from "./quiet-log.ts";
import { inCall } from "./sent-tokens.ts";
import type { TenantIsolationInput, TenantIsolationSide } from "./side.ts";

export type Call = {
	endpoint: Endpoint;
	input: TenantIsolationInput;
	/** the headers of the caller, such as cookies */
	headers: Record<string, string>;
	/** the tenant that the request names */
	hint: Pick<TenantIsolationSide, "tenantId" | "slug"> | undefined;
};

export type Answer = {
	/** 0: no response in time */
	status: number;
	text: string;
	cookies: string[];
	/** the response: body, headers, and decoded values in them */
	told: string;
	/** the caller's own request, to compare with if something is found */
	said: () => string;
	/** warnings and errors that Better Auth logged during the call */
	logged: string[];
	/** ends with the call, if it was still running, or after some time; never throws */
	late?: Promise<unknown>;
};

/**
 * Whether the machine may have decided instead of the endpoint: no response in time, above a rate limit, or too busy. Such a response
 * says nothing about whether the tenants are isolated.
 */
export const isUndecided = ({ status }: Pick<Answer, "status">): boolean =>
	status === 0 || status === 429 || status === 503;

export type Send = ReturnType<typeof createSend>;

type DirectCall = (input: TenantIsolationInput & { headers: Headers; asResponse: true }) => Promise<unknown>;

/** Calls endpoints by HTTP request, or as server code if an endpoint has no path. */
export const createSend = (
	auth: TenantIsolationAuth,
	context: AuthContext,
	{ address, timeout = 10 }: TenantIsolationOptions,
	log: Pick<QuietLog, "take">,
) => {
	const base = baseOf(context);
	const handler = handlerOf(auth);
	const tenantHeader = tenantHeaderOf(context);

	const respond = async ({ endpoint, input, headers, hint }: Call): Promise<unknown> => {
		const sent = new Headers({ origin: new URL(base).origin, ...headers });
		if (hint && tenantHeader !== false) sent.set(tenantHeader, hint.tenantId);
		if (endpoint.path === undefined) {
			const direct = Reflect.get(auth.api, endpoint.name) as DirectCall;
			return direct({ ...input, headers: sent, asResponse: true });
		}
		const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
			encodeURIComponent(input.params?.[name] ?? name),
		);
		const url = new URL(base + path);
		for (const [name, value] of Object.entries(input.query ?? {})) {
			for (const one of [value].flat()) url.searchParams.append(name, asText(one));
		}
		if (hint && tenantHeader === false && !url.searchParams.has("tenantId"))
			url.searchParams.set("tenantId", hint.tenantId);
		const hasBody = endpoint.method !== "GET" && endpoint.method !== "HEAD";
		if (hasBody) sent.set("content-type", "application/json");
		const request = new Request(url, {
			method: endpoint.method,
			headers: sent,
			body: hasBody ? JSON.stringify(input.body ?? {}) : null,
		});
		return handler(hint && address ? address(request, hint) : request);
	};

	return async (call: Call): Promise<Answer> => {
		const said = () => readable(JSON.stringify([call.input, call.headers, call.hint?.tenantId ?? ""]));
		log.take();
		const running = inCall(call, () => respond(call));
		const response = await inTime(running, timeout);
		const logged = log.take();
		if (response === LATE) {
			// as long again, because its writes would be found beside another call
			const late = inTime(running, timeout).catch(() => undefined);
			return { status: 0, text: "", cookies: [], told: "", said, logged, late };
		}
		if (!(response instanceof Response)) {
			const text = JSON.stringify(response) ?? "";
			return { status: 200, text, cookies: [], told: readable(text), said, logged };
		}
		const text = await response.text();
		const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
		const told = readable(`${text}\n${headers}`);
		return { status: response.status, text, cookies: response.headers.getSetCookie(), told, said, logged };
	};
};

/**
 * Better Auth builds its router for each request, which costs more than most attacks. So its own handler is replaced by the one
 * that serves the same with one router. A handler of the application is called as it is.
 */
const handlerOf = (auth: TenantIsolationAuth): TenantIsolationAuth["handler"] =>
	"fetch" in auth && auth.fetch === auth.handler && "options" in auth && isObject(auth.options)
		? createTenantHandler({ ...auth, options: auth.options })
		: (request) => auth.handler(request);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Where the platform is. With hosts per tenant, Better Auth knows its URL only during a request. */
const baseOf = ({ baseURL, options }: AuthContext): string => {
	const home = typeof options.baseURL === "object" ? options.baseURL.fallback : undefined;
	const path = options.basePath ?? "/api/auth";
	return baseURL || `${(home ?? "http://localhost:3000").replace(/\/$/, "")}${path}`;
};

const tenantHeaderOf = ({ options }: AuthContext): string | false => {
	const plugin = options.plugins?.find(({ id }) => id === "tenant-auth");
	const given = plugin?.options?.tenantHeader;
	return typeof given === "string" || given === false ? given : "x-tenant-id";
};

const LATE = Symbol("late");

/** Waits for a response or a timeout. Converts a thrown error to a response, as the handler does for most errors. */
const inTime = async (response: Promise<unknown>, seconds: number): Promise<unknown> => {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<typeof LATE>((resolve) => {
		timer = setTimeout(() => resolve(LATE), seconds * 1000);
	});
	try {
		return await Promise.race([response, late]);
	} catch (error) {
		const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
		return new Response(error instanceof Error ? error.message : String(error), { status });
	} finally {
		clearTimeout(timer);
	}
};

const asText = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** The text with decoded values: percent-encoding, JSON in JSON, and base64 such as the payloads of JWTs. */
const readable = (text: string): string => {
	const plain = text.replaceAll(/(%[0-9a-f]{2})+/gi, (part) => orSame(decodeURIComponent, part));
	const encoded = [...plain.matchAll(/[A-Za-z0-9_-]{24,}/g)].map(([part]) => orSame(fromBase64Url, part));
	return [text, plain, plain.replaceAll("\\", ""), ...encoded].join("\n");
};

const fromBase64Url = (part: string): string => atob(part.replaceAll("-", "+").replaceAll("_", "/"));

const orSame = (decode: (part: string) => string, part: string): string => {
	try {
		return decode(part);
	} catch {
		return part;
	}
};
