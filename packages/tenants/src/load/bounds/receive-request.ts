import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { isSimpleForm, isSimpleJson } from "../../lib/is-simple.ts";
import { discard, readUpTo } from "../../lib/read-up-to.ts";
import { isFormType, isJsonType } from "../../resolve/sent-body.ts";

/** A request with its body in memory, or the response to one that is too large. */
export type Received = { request: Request; bytes: Uint8Array | null } | { response: Response };

/** Longer than any request that Better Auth or an identity provider sends. Node itself accepts 16 kB with all headers. */
const MAX_URL = 16_384;
/** Shorter URLs have no more parameters than are allowed. */
const SIMPLE_URL = 1_000;

/** Requests whose body was received and checked before the engine sees them. */
const received = new WeakSet<Request>();

/**
 * Receives the body of a request up to its bound, before it is parsed. Returns a request with the same body. Costs nothing
 * without a body, nor for one of at most `short` bytes: servers end a body at its Content-Length.
 */
export const receiveRequest = async (request: Request, boundOf: () => number, short = -1): Promise<Received> => {
	if (!hasSimpleURL(request.url)) return { response: refusal(414, TENANT_AUTH_ERROR_CODES.URL_TOO_LONG) };
	// the body of a GET request is never read
	if (request.method === "GET" || received.has(request) || !request.body) return { request, bytes: null };
	// before its bound, which is looked up among patterns of paths
	if (hasLengthUpTo(short, request.headers)) return { request, bytes: null };
	const most = boundOf();
	try {
		// a longer body is rejected before it is sent
		const isLong = Number(request.headers.get("content-length")) > most;
		const bytes = isLong ? null : await readUpTo(request.body, most);
		if (!bytes) {
			// not awaited: a client may wait for the response before it sends the rest
			void discard(request.body);
			return { response: tooLarge(most) };
		}
		if (!isSimple(request.headers, bytes)) return { response: refusal(400, TENANT_AUTH_ERROR_CODES.BODY_TOO_COMPLEX) };
		const complete = new Request(request, { body: bytes });
		received.add(complete);
		return { request: complete, bytes };
	} catch {
		// the caller hung up, or somebody else has read the body
		return { response: refusal(400, TENANT_AUTH_ERROR_CODES.BODY_UNREADABLE) };
	}
};

const hasLengthUpTo = (most: number, headers: Headers): boolean => {
	const length = headers.get("content-length");
	return length !== null && Number(length) <= most && !headers.has("content-encoding");
};

const hasSimpleURL = (url: string): boolean =>
	url.length <= SIMPLE_URL || (url.length <= MAX_URL && isSimpleForm(new TextEncoder().encode(url)));

const isSimple = (headers: Headers, bytes: Uint8Array): boolean => {
	const type = headers.get("content-type")?.toLowerCase() ?? "";
	if (isJsonType(type)) return isSimpleJson(bytes);
	return !isFormType(type) || isSimpleForm(bytes);
};

const refusal = (status: number, { code, message }: { code: string; message: string }): Response =>
	Response.json({ code, message }, { status, headers: { "cache-control": "no-store" } });

const tooLarge = (most: number): Response =>
	refusal(413, {
		...TENANT_AUTH_ERROR_CODES.BODY_TOO_LARGE,
		message: `The body has more than ${most} bytes. Send less, or raise limits.bodies of tenantAuth()`,
	});
