import type { Command } from "commander";
import * as z from "zod";
import { alignColumns, plainText } from "../../lib/plain-text.ts";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { oauthConfigAnswer } from "./oauth-config.ts";

type Options = ClientOptions & { tenant: string };

/** `oauth-config list` */
export const addOauthConfigList = (oauthConfig: Command): void => {
	clientCommand(oauthConfig, "list", {
		says: "List the providers for which a tenant has its own credentials",
		example: "oauth-config list --tenant ID",
	})
		.requiredOption("--tenant <id>", "the tenant's id")
		.action(async ({ tenant, ...options }: Options) => {
			const { api, output } = openClient(options);
			const configs = await api.get("/tenant/oauth-config/list", {
				answer: z.array(oauthConfigAnswer),
				query: { tenantId: tenant },
			});
			const rows = configs.map(({ providerId, enabled, readable, clientId }) =>
				[providerId, readable ? (enabled ? "enabled" : "disabled") : "unreadable", clientId ?? ""].map(plainText),
			);
			await output.lines(configs, alignColumns(rows));
		});
};
