import * as z from "zod";
import { alignFields } from "../../lib/plain-text.ts";

/** A tenant's credentials for one provider, as returned by the API: without the secret. */
export const oauthConfigAnswer = z.looseObject({
	tenantId: z.string(),
	providerId: z.string(),
	/** null if it cannot be decrypted */
	clientId: z.string().nullable(),
	readable: z.boolean().default(true),
	scopes: z.array(z.string()).nullable(),
	redirectURI: z.string().nullable(),
	/** empty from an older service */
	callbackURLs: z.array(z.string()).default([]),
	enabled: z.boolean(),
	createdAt: z.string(),
	updatedAt: z.string(),
});

type OauthConfig = z.output<typeof oauthConfigAnswer>;

export const oauthConfigText = (config: OauthConfig): string =>
	alignFields({
		tenant: config.tenantId,
		provider: config.providerId,
		"client id": config.clientId,
		scopes: config.scopes?.join(" "),
		"redirect uris": config.callbackURLs.join(" ") || config.redirectURI,
		enabled: config.enabled ? "yes" : "no",
		updated: config.updatedAt,
	});
