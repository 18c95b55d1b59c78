import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ObserveConfig } from "../config/observe.ts";
import { outsideRequest } from "../http/request-context.ts";
import { quietEngine } from "./quiet-engine.ts";

/** Starts sending traces by OTLP over HTTP; nothing is started, and nothing costs, without the option. */
export const startTracing = (config: ObserveConfig["tracing"]): { shutdown(): Promise<void> } | null => {
	if (!config) return null;
	const url = `${withoutEndingSlashes(config.endpoint)}/v1/traces`;
	// a collector that is gone must keep neither the spans nor the end of the process
	const exporter = new OTLPTraceExporter({ url, timeoutMillis: 3000 });
	const send = exporter.export.bind(exporter);
	// whichever request's span came first set the timer, and sending the traces is no call of that request
	exporter.export = (spans, done) => outsideRequest(() => send(spans, done));
	const provider = new TracerProvider({
		resource: resourceFromAttributes({ "service.name": config.serviceName }),
		// a proxy of ours decides for the requests that it traces
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
