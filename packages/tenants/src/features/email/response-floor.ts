import type { GenericEndpointContext } from "@better-auth/core";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { createHook } from "../../engine/hook.ts";
import { defineService } from "../../engine/service.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { definePart } from "../../scope/pin/request-record.ts";
import { isWithoutSession } from "./without-session.ts";

/** In milliseconds. The engine uses the same minimum, but only for verification emails. */
export const FLOOR = 500;

/** When the request began: with the first read. */
const beginning = definePart<{ at: number }>(() => ({ at: Date.now() }));

/**
 * Whether the response time would reveal that an account exists. These endpoints return the same response for every
 * address, but write rows only for some. With a slow database this takes tens of milliseconds, which is measurable.
 */
const revealsByTiming = ({
	path,
	body,
	context,
}: GenericEndpointContext & { context: { returned?: unknown } }): boolean => {
	const { padsResponse } = endpointOf(path);
	if (padsResponse === "without-session") return isWithoutSession(context.returned);
	return padsResponse !== "unless-signing-in" || body?.type !== "sign-in";
};

/** Pads responses to 500 ms where timing would reveal whether an account exists. */
export const createResponseFloor = (currentTenant: () => string) => ({
	at: ({ padsResponse }: Endpoint): boolean => padsResponse !== null,
	before: createHook(async () => {
		beginning.now();
	}),
	after: createHook(async (ctx) => {
		if (!ctx.request || currentTenant() === PLATFORM || !revealsByTiming(ctx)) return;
		const began = beginning.now()?.at ?? Date.now();
		const left = responseFloorOf(ctx).milliseconds - (Date.now() - began);
		if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
	}),
});

/** How long a response takes at least, if its time would reveal an account. */
export const responseFloorOf = defineService<{ milliseconds: number }>("responseFloor");
