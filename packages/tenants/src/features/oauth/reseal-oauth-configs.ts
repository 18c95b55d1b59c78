import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import type { ResealedBatch } from "./reseal.ts";
import { resealOf } from "./reseal.ts";

const body = z.object({
	size: z.int().min(1).max(10_000).meta({ description: "Rows to read. Default: 500" }).optional(),
	after: z.string().meta({ description: "`next` of the batch before" }).nullish(),
});

const batchOpenAPI = {
	type: "object" as const,
	properties: {
		seen: { type: "integer" as const, description: "Rows that were read" },
		resealed: { type: "integer" as const, description: "Rows that are now encrypted with the current secret" },
		unreadable: {
			type: "array" as const,
			items: { type: "object" as const },
			description: "Rows that no secret decrypts",
		},
		next: { type: "string" as const, nullable: true, description: "Pass it as `after`. Null when all are done" },
	},
	required: ["seen", "resealed", "unreadable", "next"],
};

/** Encrypts one batch again. It has no path, so only server code can call it. `resealOauthConfigs` calls it until all are done. */
export const resealOauthConfigBatch = () =>
	createAuthEndpoint(
		{
			method: "POST",
			body,
			metadata: {
				SERVER_ONLY: true,
				openapi: {
					operationId: "resealTenantOauthConfigBatch",
					description: "Encrypt one batch of stored values again with the current secret",
					responses: {
						"200": { description: "What the batch did", content: { "application/json": { schema: batchOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => ctx.json(await resealOf(ctx)({ size: ctx.body.size ?? 500, after: ctx.body.after ?? null })),
	);

/**
 * How far `resealOauthConfigs` got.
 *
 * @example
 * ```ts
 * const onProgress = ({ seen, resealed }: ResealProgress) => console.log(`${resealed} of ${seen}`);
 * ```
 */
export type ResealProgress = Omit<ResealedBatch, "next"> & {
	/** The last row that is done. Pass it as `after` to continue after an interruption. */
	after: string | null;
};

/**
 * Options of `resealOauthConfigs`.
 *
 * @example
 * ```ts
 * await resealOauthConfigs(auth, { batchSize: 100, onProgress: ({ after }) => saveCursor(after) });
 * ```
 */
type ResealOptions = {
	/**
	 * Rows read in one batch, 1 to 10000.
	 * @default 500
	 */
	batchSize?: number;
	/**
	 * Continues after this row. Pass `after` of the last progress.
	 * @default null
	 */
	after?: string | null;
	/**
	 * Called after each batch.
	 * @default none
	 */
	onProgress?: (progress: ResealProgress) => void;
};

type Resealable = {
	api: {
		resealTenantOauthConfigBatch: (call: { body: { size?: number; after?: string | null } }) => Promise<ResealedBatch>;
	};
};

/**
 * Encrypts everything that is stored encrypted again with the current secret: tenants' OAuth configs and SSO settings, second
 * factors, the signing keys of the jwt plugin, and if you configured their encryption, tokens of OAuth accounts and secrets of
 * OAuth clients. Run it after all servers have the new secret first in Better Auth's `secrets`, once, on one server. The others
 * can serve requests meanwhile. When the old secret can be removed: docs/rotation.md.
 *
 * @example
 * ```ts
 * const { resealed, unreadable } = await resealOauthConfigs(auth);
 * ```
 */
export const resealOauthConfigs = async (auth: Resealable, options: ResealOptions = {}): Promise<ResealProgress> => {
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
