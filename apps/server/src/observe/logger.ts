import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";
import type { ObserveConfig } from "../config/observe.ts";
import { currentRequest } from "../lib/request-context.ts";
import { redacted, redactedText } from "./redact.ts";

export type Logger = PinoLogger;

/** Creates a logger of JSON lines with the request and tenant, and without secrets. */
export const createLogger = (
	{ logLevel }: Pick<ObserveConfig, "logLevel">,
	destination?: DestinationStream,
): Logger => {
	const logger: Logger = pino(
		{
			level: logLevel,
			timestamp: pino.stdTimeFunctions.isoTime,
			base: { pid: process.pid },
			mixin: () => {
				const request = currentRequest();
				return request ? { requestId: request.requestId, tenantId: request.tenantId } : {};
			},
			// explicit fields override the added ones
			mixinMergeStrategy: (logged: object, added: object) => ({ ...added, ...logged }),
			formatters: {
				level: (label) => ({ level: label }),
				log: (fields) => redacted(fields) as Record<string, unknown>,
			},
			// `redacted` has already turned errors into plain objects
			serializers: { err: (error: unknown) => error },
			hooks: {
				logMethod(input, method) {
					const [fields, ...texts] = withMessage(input);
					// pino's formatters skip messages and their parameters
					const clean = texts.map((part) => (typeof part === "string" ? redactedText(part) : redacted(part)));
					method.apply(this, [fields, ...clean] as typeof input);
				},
			},
		},
		destination ?? pino.destination({ fd: 1, sync: true }),
	);
	const makeChild = logger.child;
	// pino's formatters also skip the bindings of a child
	logger.child = function (this: Logger, bindings, options) {
		return makeChild.call(this, redacted(bindings) as typeof bindings, options) as never;
	};
	return logger;
};

/**
 * Splits a call into fields, message and parameters. Without a message, pino would use the error's message with its secrets.
 */
const withMessage = (input: unknown[]): unknown[] => {
	const [first, ...rest] = input;
	if (typeof first === "string") return [{}, ...input];
	const fields = first instanceof Error ? { err: first } : (first ?? {});
	const [message = messageOf(fields), ...filling] = rest;
	return [fields, message, ...filling];
};

const messageOf = (fields: object): string | undefined =>
	"err" in fields && fields.err instanceof Error ? fields.err.message : undefined;
