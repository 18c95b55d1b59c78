import type { Command } from "commander";
import * as z from "zod";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";

type Options = ClientOptions & { tenant: string; provider: string };

/** `oauth-config delete` */
export const addOauthConfigDelete = (oauthConfig: Command): void => {
	clientCommand(oauthConfig, "delete", {
		says: "Delete a tenant's credentials for a provider. Its users then sign in with the server's credentials, if there are any",
		example: "oauth-config delete --tenant ID --provider google",
	})
		.requiredOption("--tenant <id>", "the tenant's id")
		.requiredOption("--provider <provider>", "google, github, …")
		.action(async ({ tenant, provider, ...options }: Options) => {
			const { api, output } = openClient(options);
			await api.post("/tenant/oauth-config/delete", {
				answer: z.object({ success: z.literal(true) }),
				body: { tenantId: tenant, providerId: provider },
			});
			await output.result(
				{ success: true, tenantId: tenant, providerId: provider },
				`Deleted ${provider} of ${tenant}`,
			);
		});
};
