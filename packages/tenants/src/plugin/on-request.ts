import type { AuthContext } from "@better-auth/core";
import { endpointPath } from "../engine/endpoint-path.ts";
import { failureToCount } from "../engine/uncounted-requests.ts";
import { bodyBoundsOf } from "../load/bounds/body-bounds.ts";
import { receiveRequest } from "../load/bounds/receive-request.ts";
import { shedEarlyOf } from "../load/hashing/shed-early.ts";
import { unavailable } from "../scope/pin/outage.ts";
import { beginRecord } from "../scope/pin/request-record.ts";
import { guardContentType } from "./content-type.ts";
import { guardHost } from "./host.ts";

/** Runs first on every HTTP request, before the body is parsed. */
export const onRequest = async (
	request: Request,
	context: AuthContext,
): Promise<{ response: Response } | { request: Request } | undefined> => {
	const uncounted = await failureToCount();
	if (uncounted) {
		context.logger.error("tenantAuth: a request cannot be counted for the rate limit", uncounted.error);
		return { response: unavailable() };
	}
	beginRecord(context);
	const refused = guardContentType(request) ?? (await guardHost(request, context));
	if (refused) return refused;
	const bodyBounds = bodyBoundsOf({ context });
	const shedEarly = shedEarlyOf({ context });
	const bound = () => bodyBounds.of(endpointPath(request, context));
	const received = await receiveRequest(request, bound, bodyBounds.short);
	if ("response" in received) return received;
	return (
		(await shedEarly(received.request, context)) ??
		(received.request === request ? undefined : { request: received.request })
	);
};
