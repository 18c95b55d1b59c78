import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { currentRequest } from "../lib/request-context.ts";
import type { Metrics } from "./metrics.ts";

type Call = { provider: string; started: number; span: Span };

/**
 * Measures calls to social providers with Node's diagnostics channels. Nothing is wrapped, and calls of other code are
 * ignored. The provider comes from the current request, never from the URL. Returns a function that stops it.
 */
export const observeProviderCalls = (metrics: Metrics): (() => void) => {
	const calls = new WeakMap<object, Call>();
	const take = (message: unknown): Call | undefined => {
		const request = requestOf(message);
		const call = request ? calls.get(request) : undefined;
		if (request) calls.delete(request);
		return call;
	};
	const onCreate = (message: unknown): void => {
		const request = requestOf(message);
		const provider = currentRequest()?.provider;
		if (!request || !provider) return;
		const span = trace
			.getTracer("server")
			.startSpan(`provider ${provider}`, { kind: SpanKind.CLIENT, attributes: { "auth.provider": provider } });
		calls.set(request, { provider, started: performance.now(), span });
	};
	const onHeaders = (message: unknown): void => {
		const call = take(message);
		if (!call) return;
		const status = statusOf(message);
		metrics.providerAnswered(call.provider, (performance.now() - call.started) / 1000, status);
		call.span.setAttribute("http.response.status_code", status);
		if (status >= 400) call.span.setStatus({ code: SpanStatusCode.ERROR });
		call.span.end();
	};
	const onError = (message: unknown): void => {
		const call = take(message);
		if (!call) return;
		metrics.providerUnreachable(call.provider);
		call.span.setStatus({ code: SpanStatusCode.ERROR, message: "unreachable" });
		call.span.end();
	};
	const channels = [
		["undici:request:create", onCreate],
		["undici:request:headers", onHeaders],
		["undici:request:error", onError],
		// calls to tenant-provided servers do not use fetch
		["http.client.request.start", onCreate],
		["http.client.response.finish", onHeaders],
		["http.client.request.error", onError],
	] as const;
	for (const [name, listener] of channels) subscribe(name, listener);
	return () => {
		for (const [name, listener] of channels) unsubscribe(name, listener);
	};
};

const requestOf = (message: unknown): object | null => {
	const { request } = (message ?? {}) as { request?: unknown };
	return typeof request === "object" ? (request ?? null) : null;
};

const statusOf = (message: unknown): number => {
	const { response } = message as { response?: { statusCode?: number } };
	return response?.statusCode ?? 0;
};
