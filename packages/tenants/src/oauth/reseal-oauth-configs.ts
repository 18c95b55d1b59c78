import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { servicesOf } from "../services.ts";
import type { ResealedBatch } from "./reseal.ts";

const body = z.object({
	size: z.int().min(1).max(10_000).optional(),
	after: z.string().nullish(),
});

/** Encrypts one batch again. It has no path, so only server code can call it. */
export const resealOauthConfigBatch = () =>
	createAuthEndpoint({ method: "POST", body, metadata: { SERVER_ONLY: true } }, async (ctx) =>
		ctx.json(await servicesOf(ctx).reseal({ size: ctx.body.size ?? 500, after: ctx.body.after ?? null })),
	);

export type ResealProgress = Omit<ResealedBatch, "next"> & {
	/** cursor of the last completed config; pass it as `after` to continue after an interruption */
	after: string | null;
};

type Resealable = {
	api: {
		resealTenantOauthConfigBatch: (call: { body: { size?: number; after?: string | null } }) => Promise<ResealedBatch>;
	};
};

/**
 * Encrypts all stored OAuth credentials again with the current secret. Call it after you add a new secret as the first
 * of Better Auth's `secrets`. Run it once, on one server; sign-ins keep working. After it completes, remove the old
 * secret.
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
