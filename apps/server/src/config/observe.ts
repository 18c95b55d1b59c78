import { defineSection } from "./section.ts";
import { count, oneOf, text, url } from "./variables.ts";

export const observeSection = defineSection(
	{
		LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "silent"], "info").meta({
			description: "How much is logged",
		}),
		METRICS_PORT: count(0, { least: 0, most: 65_535 }).meta({
			description: "The port of /metrics, /livez and /readyz apart from the public one; 0 opens none",
		}),
		METRICS_HOST: text().default("127.0.0.1").meta({ description: "The address that METRICS_PORT listens on" }),
		OTEL_EXPORTER_OTLP_ENDPOINT: url("http:", "https:").optional().meta({
			description: "Where traces go by OTLP over HTTP: http://collector:4318. Without it none are made",
		}),
		OTEL_SERVICE_NAME: text()
			.default("better-auth-tenants")
			.meta({ description: "What the service is called in traces" }),
	},
	(values) => ({
		logLevel: values.LOG_LEVEL,
		metrics: values.METRICS_PORT > 0 ? { port: values.METRICS_PORT, host: values.METRICS_HOST } : null,
		tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT
			? { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: values.OTEL_SERVICE_NAME }
			: null,
	}),
);

export type ObserveConfig = ReturnType<(typeof observeSection)["read"]>;
