import { currentRequest } from "./request-context.ts";

/** A refusal of the service's own: a code for programs, the request's id for whoever reads the log, and nothing else. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
	Response.json({ code, requestId: currentRequest()?.requestId ?? null }, { status, headers });

export const notFound = (): Response => refusal(404, "NOT_FOUND");
export const malformed = (): Response => refusal(400, "MALFORMED_REQUEST", { connection: "close" });
export const internalError = (code = "INTERNAL_SERVER_ERROR"): Response => refusal(500, code);
/**
 * Whoever sends too much goes on sending it for a while. A connection that is closed at once takes the answer with it (RFC
 * 9112, section 9.6), so the adapter reads on for half a second and closes then.
 */
export const tooLarge = (): Response => refusal(413, "PAYLOAD_TOO_LARGE");
/** Nobody reads it: the caller hung up before his request was complete. The status is for the log. */
export const hungUp = (): Response => refusal(499, "CLIENT_CLOSED_REQUEST", { connection: "close" });
