import { type Span, SpanStatusCode, type Tracer, type TracerProvider, trace } from "@opentelemetry/api";

/** The name of the engine's tracer. */
const ENGINE = "better-auth";
/** The attribute of spans around plugin hooks: dozens per request, with almost no time spent in them. */
const HOOK = "better_auth.hook.type";

/**
 * Wraps the tracers. Of the engine's spans, it keeps only endpoints and database calls, without error messages, which
 * may contain user input.
 */
export const quietEngine = (provider: TracerProvider): TracerProvider => ({
	getTracer: (name, version, options) => {
		const tracer = provider.getTracer(name, version, options);
		return name === ENGINE ? quietTracer(tracer) : tracer;
	},
});

const quietTracer = (tracer: Tracer): Tracer => ({
	startSpan: (name, options, context) => quietSpan(tracer.startSpan(name, options, context)),
	startActiveSpan: (name: string, ...rest: unknown[]) => {
		const [options] = rest;
		const run = rest.at(-1) as (span: Span) => unknown;
		const isHook = hasAttribute(options, HOOK);
		// the caller's span stays active
		if (isHook) return run(trace.wrapSpanContext({ traceId: "", spanId: "", traceFlags: 0 }));
		return tracer.startActiveSpan(name, typeof options === "object" ? (options ?? {}) : {}, (span) =>
			run(quietSpan(span)),
		) as never;
	},
});

const quietSpan = (span: Span): Span => {
	span.recordException = () => {};
	const setStatus = span.setStatus.bind(span);
	span.setStatus = ({ code }) => setStatus({ code: code === SpanStatusCode.ERROR ? code : SpanStatusCode.UNSET });
	return span;
};

const hasAttribute = (options: unknown, name: string): boolean =>
	typeof options === "object" &&
	options !== null &&
	"attributes" in options &&
	typeof options.attributes === "object" &&
	options.attributes !== null &&
	name in options.attributes;
