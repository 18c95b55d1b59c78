import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";
import type { ObserveConfig } from "../config/observe.ts";
import { currentRequest } from "../http/request-context.ts";
import { redacted, redactedText } from "./redact.ts";

export type Logger = PinoLogger;

/** Logs JSON lines, each with the request and the tenant it belongs to, and without secrets. */
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
			// what is logged itself wins over what we add
			mixinMergeStrategy: (logged: object, added: object) => ({ ...added, ...logged }),
			formatters: {
				level: (label) => ({ level: label }),
				log: (fields) => redacted(fields) as Record<string, unknown>,
			},
			// errors are plain by then
			serializers: { err: (error: unknown) => error },
			hooks: {
				logMethod(input, method) {
					const [fields, ...texts] = withMessage(input);
					// messages and what they are filled with pass no formatter
					const clean = texts.map((part) => (typeof part === "string" ? redactedText(part) : redacted(part)));
					method.apply(this, [fields, ...clean] as typeof input);
				},
			},
		},
		destination ?? pino.destination({ fd: 1, sync: true }),
	);
	const makeChild = logger.child;
	// what a child is given passes no formatter either
	logger.child = function (this: Logger, bindings, options) {
		return makeChild.call(this, redacted(bindings) as typeof bindings, options) as never;
	};
	return logger;
};

/** The fields, the message, and the rest. Without a message of ours pino would take that of the error, as it is. */
const withMessage = (input: unknown[]): unknown[] => {
	const [first, ...rest] = input;
	if (typeof first === "string") return [{}, ...input];
	const fields = first instanceof Error ? { err: first } : (first ?? {});
	const [message = messageOf(fields), ...filling] = rest;
	return [fields, message, ...filling];
};

const messageOf = (fields: object): string | undefined =>
	"err" in fields && fields.err instanceof Error ? fields.err.message : undefined;
