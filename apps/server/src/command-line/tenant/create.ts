import type { Command } from "commander";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { readMetadata, tenantAnswer, tenantText } from "./tenant.ts";

type Options = ClientOptions & { name: string; slug: string; metadata?: string };

/** `tenant create` */
export const addTenantCreate = (tenant: Command): void => {
	clientCommand(tenant, "create", {
		says: "Create a tenant",
		example: "tenant create --name 'Acme Inc.' --slug acme",
	})
		.requiredOption("--name <name>", "the display name")
		.requiredOption("--slug <slug>", "the name in URLs: a-z, 0-9 and '-'")
		.option("--metadata <json>", "a JSON object")
		.action(async ({ name, slug, metadata, ...options }: Options) => {
			const body = { name, slug, metadata: readMetadata(metadata) };
			const { api, output } = openClient(options);
			const made = await api.post("/tenant/create", { answer: tenantAnswer, body });
			await output.result(made, tenantText(made));
		});
};
