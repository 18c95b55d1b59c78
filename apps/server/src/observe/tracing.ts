import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ObserveConfig } from "../config/observe.ts";
import { outsideRequest } from "../lib/request-context.ts";
import { quietEngine } from "./quiet-engine.ts";

/** Starts sending traces by OTLP over HTTP. Without the option, it does nothing. */
export const startTracing = (config: ObserveConfig["tracing"]): { shutdown(): Promise<void> } | null => {
	if (!config) return null;
	const url = `${withoutEndingSlashes(config.endpoint)}/v1/traces`;
	// an unreachable collector must neither hold spans nor delay the shutdown
	const exporter = new OTLPTraceExporter({ url, timeoutMillis: 3000 });
	const send = exporter.export.bind(exporter);
	// the timer starts in some request's context, but sending traces is not part of that request
	exporter.export = (spans, done) => outsideRequest(() => send(spans, done));
	const provider = new TracerProvider({
		resource: resourceFromAttributes({ "service.name": config.serviceName }),
		// a trusted proxy decides about the requests it traces
		sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
		spanProcessors: [new BatchSpanProcessor({ exporter })],
	});
	context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
	trace.setGlobalTracerProvider(quietEngine(provider));
	return {
		shutdown: async () => {
			trace.disable();
			context.disable();
			await provider.shutdown();
		},
	};
};

const withoutEndingSlashes = (url: string): string => {
	let end = url.length;
	while (url.charAt(end - 1) === "/") end -= 1;
	return url.slice(0, end);
};
