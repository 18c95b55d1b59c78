import type { GenericEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import { endpointOf } from "../engine/endpoints.ts";
import { createHook } from "../engine/hook.ts";
import { PLATFORM } from "../scope/platform.ts";
import { isWithoutSession } from "./without-session.ts";

/** As long as the engine's own floor, which it has for verification mails alone. */
const FLOOR = 500;

/** Asked for first when the request comes in. */
const started = defineRequestState<number>(() => Date.now());

/**
 * They answer the same for an address that has a user and for one that has none, but do more for the one: rows are
 * written, or written and deleted again. A slow database makes that tens of milliseconds, which anybody can measure.
 */
const isTelling = ({ path, body, context }: GenericEndpointContext & { context: { returned?: unknown } }): boolean => {
	const { padsResponse } = endpointOf(path);
	if (padsResponse === "without-session") return isWithoutSession(context.returned);
	return padsResponse !== "unless-signing-in" || body?.type !== "sign-in";
};

/** The two ends of a request between which half a second passes at least, where the time would tell who is registered. */
export const createAnswerFloor = (currentTenant: () => string) => ({
	matcher: ({ path }: { path?: string | undefined }): boolean => endpointOf(path).padsResponse !== null,
	before: createHook(async () => {
		await started.get();
	}),
	after: createHook(async (ctx) => {
		if (!ctx.request || currentTenant() === PLATFORM || !isTelling(ctx)) return;
		const left = FLOOR - (Date.now() - (await started.get()));
		if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
	}),
});
