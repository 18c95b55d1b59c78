import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { servicesOf } from "../services.ts";
import type { ResealedBatch } from "./reseal.ts";

const body = z.object({
	size: z.int().min(1).max(10_000).optional(),
	after: z.string().nullish(),
});

/** One batch, for server code only: it has no path, so no request reaches it. */
export const resealOauthConfigBatch = () =>
	createAuthEndpoint({ method: "POST", body, metadata: { SERVER_ONLY: true } }, async (ctx) =>
		ctx.json(await servicesOf(ctx).reseal({ size: ctx.body.size ?? 500, after: ctx.body.after ?? null })),
	);

export type ResealProgress = Omit<ResealedBatch, "next"> & {
	/** the last config that is done; start there after an interruption */
	after: string | null;
};

type Resealable = {
	api: {
		resealTenantOauthConfigBatch: (call: { body: { size?: number; after?: string | null } }) => Promise<ResealedBatch>;
	};
};

/**
 * Seals all stored OAuth credentials anew with the current secret, after you put a new one first in the engine's
 * `secrets`. Run it once, on one server, while the others serve. When it is through, the old secret can go.
 */
export const resealOauthConfigs = async (
	auth: Resealable,
	options: { batchSize?: number; after?: string | null; onProgress?: (progress: ResealProgress) => void } = {},
): Promise<ResealProgress> => {
	const progress: ResealProgress = { seen: 0, resealed: 0, unreadable: [], after: options.after ?? null };
	for (;;) {
		const batch = await auth.api.resealTenantOauthConfigBatch({
			body: { size: options.batchSize ?? 500, after: progress.after },
		});
		progress.seen += batch.seen;
		progress.resealed += batch.resealed;
		progress.unreadable.push(...batch.unreadable);
		if (batch.next !== null) progress.after = batch.next;
		options.onProgress?.({ ...progress, unreadable: [...progress.unreadable] });
		if (batch.next === null) return progress;
	}
};
