import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { defineSection } from "./section.ts";
import { count, oneOf, text, url } from "./variables.ts";

export const observeSection = defineSection(
	{
		LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "silent"], "info").meta({
			description: "The log level",
		}),
		AUDIT_FILE: text().optional().meta({
			description:
				"A file for audit entries, one JSON object per line. Without it, they are part of the log, whatever LOG_LEVEL is. If an entry cannot be written, the action does not run",
		}),
		METRICS_PORT: count(0, { least: 0, most: 65_535 }).meta({
			description:
				"A separate port for /metrics, /livez and /readyz, which are not on the public port then; 0 means none",
		}),
		METRICS_HOST: text().default("127.0.0.1").meta({ description: "The address to listen on for METRICS_PORT" }),
		OTEL_EXPORTER_OTLP_ENDPOINT: url("http:", "https:").optional().meta({
			description: "The endpoint for traces by OTLP over HTTP: http://collector:4318. Without it there are no traces",
		}),
		OTEL_SERVICE_NAME: text().default("better-auth-tenants").meta({ description: "The service name in traces" }),
	},
	(values, mistakes) => {
		if (values.AUDIT_FILE !== undefined && !existsSync(dirname(values.AUDIT_FILE)))
			mistakes.push(
				"AUDIT_FILE is in a folder that does not exist, so every management request would be refused. Create the folder, or correct the path",
			);
		return {
			logLevel: values.LOG_LEVEL,
			auditFile: values.AUDIT_FILE,
			metrics: values.METRICS_PORT > 0 ? { port: values.METRICS_PORT, host: values.METRICS_HOST } : null,
			tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT
				? { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: values.OTEL_SERVICE_NAME }
				: null,
		};
	},
);

export type ObserveConfig = ReturnType<(typeof observeSection)["read"]>;
