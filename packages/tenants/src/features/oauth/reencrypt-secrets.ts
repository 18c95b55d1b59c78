import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import type { ReencryptedBatch } from "./reencrypt.ts";
import { reencryptOf } from "./reencrypt.ts";

const body = z.object({
	size: z.int().min(1).max(10_000).meta({ description: "Rows to read. Default: 500" }).optional(),
	after: z.string().meta({ description: "`next` of the batch before" }).nullish(),
});

const batchOpenAPI = {
	type: "object" as const,
	properties: {
		seen: { type: "integer" as const, description: "Rows that were read" },
		reencrypted: { type: "integer" as const, description: "Rows that are now encrypted with the current secret" },
		unreadable: {
			type: "array" as const,
			items: { type: "object" as const },
			description: "Rows that no secret decrypts",
		},
		next: { type: "string" as const, nullable: true, description: "Pass it as `after`. Null when all are done" },
	},
	required: ["seen", "reencrypted", "unreadable", "next"],
};

/** Encrypts one batch again. It has no path, so only server code can call it. `reencryptSecrets` calls it until all are done. */
export const reencryptOauthConfigBatch = () =>
	createAuthEndpoint(
		{
			method: "POST",
			body,
			metadata: {
				SERVER_ONLY: true,
				openapi: {
					operationId: "reencryptSecretsBatch",
					description: "Encrypt one batch of stored values again with the current secret",
					responses: {
						"200": { description: "What the batch did", content: { "application/json": { schema: batchOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => ctx.json(await reencryptOf(ctx)({ size: ctx.body.size ?? 500, after: ctx.body.after ?? null })),
	);

/**
 * How far `reencryptSecrets` got.
 *
 * @example
 * ```ts
 * const onProgress = ({ seen, reencrypted }: ReencryptProgress) => console.log(`${reencrypted} of ${seen}`);
 * ```
 */
export type ReencryptProgress = Omit<ReencryptedBatch, "next"> & {
	/** The last row that is done. Pass it as `after` to continue after an interruption. */
	after: string | null;
};

/**
 * Options of `reencryptSecrets`.
 *
 * @example
 * ```ts
 * await reencryptSecrets(auth, { batchSize: 100, onProgress: ({ after }) => saveCursor(after) });
 * ```
 */
type ReencryptOptions = {
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
	onProgress?: (progress: ReencryptProgress) => void;
};

type Reencryptable = {
	api: {
		reencryptSecretsBatch: (call: { body: { size?: number; after?: string | null } }) => Promise<ReencryptedBatch>;
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
 * const { reencrypted, unreadable } = await reencryptSecrets(auth);
 * ```
 */
export const reencryptSecrets = async (
	auth: Reencryptable,
	options: ReencryptOptions = {},
): Promise<ReencryptProgress> => {
	const progress: ReencryptProgress = { seen: 0, reencrypted: 0, unreadable: [], after: options.after ?? null };
	for (;;) {
		const batch = await auth.api.reencryptSecretsBatch({
			body: { size: options.batchSize ?? 500, after: progress.after },
		});
		progress.seen += batch.seen;
		progress.reencrypted += batch.reencrypted;
		progress.unreadable.push(...batch.unreadable);
		if (batch.next !== null) progress.after = batch.next;
		options.onProgress?.({ ...progress, unreadable: [...progress.unreadable] });
		if (batch.next === null) return progress;
	}
};
