import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import { currentRequest } from "../lib/request-context.ts";
import type { UnreadBody } from "./read-body.ts";

/** An error response of the server itself: only a code, and the request id to find it in the log. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
	Response.json(saying(code), { status, headers });

const saying = (code: string) => ({ code, requestId: currentRequest()?.requestId ?? null });

export const notFound = (): Response => refusal(404, "NOT_FOUND");
export const malformed = (): Response => refusal(400, "MALFORMED_REQUEST", { connection: "close" });
export const internalError = (code = "INTERNAL_SERVER_ERROR"): Response => refusal(500, code);
/**
 * The response to a body that is too large. The client is still sending, and closing the connection at once would lose
 * the response (RFC 9112, section 9.6). So the response has a length, announces that the connection closes (otherwise a
 * proxy would reuse it), and ends after the rest of the body has been read.
 */
const tooLarge = (restIsRead: () => Promise<void>): Response => {
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
/** For a caller that hung up before the request was complete. The status only appears in the log. */
const hungUp = (): Response => refusal(499, "CLIENT_CLOSED_REQUEST", { connection: "close" });
/** For a body that there was no room for. Its caller can send it again. */
const noRoom = (): Response =>
	refusal(503, TENANT_AUTH_ERROR_CODES.SERVER_BUSY.code, { connection: "close", "retry-after": "1" });

/** The response to a body that was not read. */
export const unread = (body: UnreadBody): Response => {
	if (body.problem === "too-large") return tooLarge(body.discardRest);
	return body.problem === "busy" ? noRoom() : hungUp();
};
