import { type Context, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import type { MiddlewareHandler } from "hono";
import type { AppEnvironment } from "../request/environment.ts";

/**
 * Creates a span per request with its endpoint, status and tenant, but no query or body, which may contain tokens.
 * Continues a trace only if a trusted proxy started it. Otherwise callers could choose what is sampled and write to our
 * traces.
 */
export const traceRequests: MiddlewareHandler<AppEnvironment> = (c, next) => {
	const { pattern } = c.get("route");
	const parent = c.get("caller")?.isProxied ? readTraceparent(c.req.header("traceparent")) : ROOT_CONTEXT;
	const span = trace.getTracer("server").startSpan(
		`${c.req.method} ${pattern}`,
		{
			kind: SpanKind.SERVER,
			attributes: {
				"http.request.method": c.req.method,
				"http.route": pattern,
				"request.id": c.get("context").requestId,
			},
		},
		parent,
	);
	return context.with(trace.setSpan(parent, span), async () => {
		try {
			await next();
			span.setAttribute("http.response.status_code", c.res.status);
			if (c.res.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
		} finally {
			const { tenantId } = c.get("context");
			if (tenantId !== null) span.setAttribute("tenant.id", tenantId);
			span.end();
		}
	});
};

/** W3C Trace Context, section 3.2. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

const readTraceparent = (header: string | undefined): Context => {
	const [, traceId, spanId, flags = "00"] = TRACEPARENT.exec(header ?? "") ?? [];
	if (!traceId || !spanId) return ROOT_CONTEXT;
	const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
	return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};
