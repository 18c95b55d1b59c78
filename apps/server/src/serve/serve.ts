import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { tenantActivity } from "better-auth-tenants";
import type { Config } from "../config/config.ts";
import { findForgers, findPlainHttp } from "../config/exposures.ts";
import { openConsole } from "../console/console-services.ts";
import { createListener } from "../http/listener.ts";
import { pendingMails } from "../mail/outbox.ts";
import { createMetrics } from "../measure/metrics.ts";
import { observeProviderCalls } from "../measure/provider-calls.ts";
import { createAuditLog } from "../observe/audit-log.ts";
import { type LogOutput, openLogOutput } from "../observe/log-output.ts";
import { createLogger, type Logger } from "../observe/logger.ts";
import { startTracing } from "../observe/tracing.ts";
import { createApp } from "./app.ts";
import { createClosers } from "./closers.ts";
import { createHttpServer, listen } from "./http-server.ts";
import { AFTER_THE_LAST_ANSWER, JOBS_LIMIT, longestShutdown } from "./longest-shutdown.ts";
import { openAuth, openParts } from "./open-parts.ts";
import { createOperationsServer } from "./operations-server.ts";
import { createReadiness } from "./readiness.ts";
import { starting } from "./start-error.ts";
import { startJobs } from "./start-jobs.ts";
import { watchRejections } from "./unhandled-rejections.ts";

export type Service = { port: number; metricsPort: number | null; close(): Promise<void> };

type Log = { logger: Logger; output: LogOutput };

const openLog = (observe: Config["observe"]): Log => {
	const output = openLogOutput();
	return { logger: createLogger(observe, output), output };
};

/** Opens everything and listens. Throws if the schema is outdated, and closes what it has opened. */
export const serve = async (config: Config, log: Log = openLog(config.observe)): Promise<Service> => {
	const closers = createClosers(log.logger);
	try {
		return await start(config, log, closers);
	} catch (error) {
		await closers.closeAll();
		await log.output.close();
		throw error;
	}
};

const start = async (
	config: Config,
	{ logger, output }: Log,
	closers: ReturnType<typeof createClosers>,
): Promise<Service> => {
	const { http, observe } = config;
	for (const { name, says, fix } of config.doubts) logger.warn({ variable: name }, `${says}. ${fix}`);
	for (const exposure of [findPlainHttp(http), findForgers(http)])
		if (exposure) logger.warn(`${exposure.says}. ${exposure.fix}`);
	// before the engine, which gets its tracer at startup
	const tracing = startTracing(observe.tracing);
	if (tracing) closers.add("traces", tracing.shutdown);
	const { checks, probeCache, pool, probe, jobs, ...parts } = await openParts(config, logger, closers);
	const counts = { mails: { sent: 0, failed: 0 } };
	const metrics = createMetrics({
		pool,
		cache: parts.cache &&
			probeCache && { state: parts.cache.sessions.state, counts: parts.cache.counts, probe: probeCache },
		mails: parts.mailer && { counts: counts.mails, pending: () => pendingMails(jobs.queue) },
		textMessages: parts.sms?.counts ?? null,
		droppedLines: output.dropped,
	});
	closers.add("rejections", watchRejections(logger, metrics));
	closers.add("provider calls", observeProviderCalls(metrics));
	const audit = createAuditLog(observe, output);
	const ofConsole = config.console.enabled ? openConsole({ pool: jobs.pool, metrics, logger, closers }) : null;
	const services = { config, pool, ...parts, logger, audit, console: ofConsole, tenantCache: metrics.tenantCache };
	const auth = await openAuth(services, probe, closers);
	metrics.observeActivity(() => tenantActivity(auth));
	const worker = await starting("The background jobs did not start", "Check SWEEP_SCHEDULE", async () =>
		startJobs({ config, auth, jobs, counts, metrics, logger }),
	);
	const messages = () => Promise.all([worker?.stop(), parts.sms?.close()]);
	if (worker || parts.sms) closers.add("jobs and messages", messages, JOBS_LIMIT);

	const { readiness, close: refuseReadiness } = createReadiness(checks, logger);
	const app = createApp({ config, auth, logger, metrics, readiness, signInCounts: ofConsole?.signInCounts ?? null });
	const listener = createListener(app, { logger, metrics, publicURL: http.publicURL });
	const { server, connections } = createHttpServer({ listener, metrics, requestTimeout: http.requestTimeout });
	const metricsPort = observe.metrics
		? await openOperations(createOperationsServer({ metrics, readiness }), observe.metrics, closers)
		: null;
	const port = await listen(server, http);
	logger.info({ host: http.host, port, metricsPort }, "listening");

	const end = async (): Promise<void> => {
		logger.info(
			{ delay: http.shutdownDelay, timeout: http.shutdownTimeout, longest: longestShutdown(http) },
			"closing",
		);
		refuseReadiness();
		connections.sayGoodbye();
		await sleep(http.shutdownDelay * 1000);
		const cutOff = await connections.drain(http.shutdownTimeout * 1000);
		if (cutOff > 0) logger.warn({ requests: cutOff }, "requests exceeded SHUTDOWN_TIMEOUT and were cut off");
		// an engine's background work may still add a mail
		await sleep(AFTER_THE_LAST_ANSWER);
		await closers.closeAll();
		logger.info("closed");
		await output.close();
	};
	let ended: Promise<void> | undefined;
	return {
		port,
		metricsPort,
		close: () => {
			ended ??= end();
			return ended;
		},
	};
};

const openOperations = async (
	server: Server,
	at: { host: string; port: number },
	closers: ReturnType<typeof createClosers>,
): Promise<number> => {
	const port = await listen(server, at, "METRICS_HOST and METRICS_PORT");
	closers.add("metrics", () => {
		server.close();
		server.closeAllConnections();
	});
	return port;
};
