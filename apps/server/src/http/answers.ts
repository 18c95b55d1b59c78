import { currentRequest } from "./request-context.ts";

/** A refusal of the service's own: a code for programs, the request's id for whoever reads the log, and nothing else. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
	Response.json(saying(code), { status, headers });

const saying = (code: string) => ({ code, requestId: currentRequest()?.requestId ?? null });

export const notFound = (): Response => refusal(404, "NOT_FOUND");
export const malformed = (): Response => refusal(400, "MALFORMED_REQUEST", { connection: "close" });
export const internalError = (code = "INTERNAL_SERVER_ERROR"): Response => refusal(500, code);
/**
 * Whoever sends too much goes on sending it for a while, and a connection that is closed at once takes the answer with it
 * (RFC 9112, section 9.6). So the answer is complete by its length, says that the connection closes (a proxy would send
 * another caller's request on it), and ends, which closes it, once the rest of the body has been read.
 */
export const tooLarge = (restIsRead: () => Promise<void>): Response => {
	const body = new TextEncoder().encode(JSON.stringify(saying("PAYLOAD_TOO_LARGE")));
	const stream = new ReadableStream<Uint8Array>({
		start: async (controller) => {
			controller.enqueue(body);
			await restIsRead();
			controller.close();
		},
	});
	const headers = {
		"content-type": "application/json",
		"content-length": String(body.byteLength),
		connection: "close",
	};
	return new Response(stream, { status: 413, headers });
};
/** Nobody reads it: the caller hung up before his request was complete. The status is for the log. */
export const hungUp = (): Response => refusal(499, "CLIENT_CLOSED_REQUEST", { connection: "close" });
