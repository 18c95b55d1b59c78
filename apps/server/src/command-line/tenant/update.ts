import type { Command } from "commander";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { CommandError } from "../command-error.ts";
import { readMetadata, tenantAnswer, tenantText } from "./tenant.ts";

type Options = ClientOptions & { name?: string; slug?: string; metadata?: string };

/** `tenant update` */
export const addTenantUpdate = (tenant: Command): void => {
	clientCommand(tenant, "update", {
		says: "Change what is given of a tenant, and leave the rest",
		example: "tenant update ID --name 'Acme GmbH'",
	})
		.argument("<id>", "the tenant's id")
		.option("--name <name>", "another name")
		.option("--slug <slug>", "another slug; the old one is free at once")
		.option("--metadata <json>", "a JSON object in place of the one before")
		.action(async (tenantId: string, { name, slug, metadata, ...options }: Options) => {
			if (name === undefined && slug === undefined && metadata === undefined)
				throw new CommandError("USAGE", "Nothing is to be changed", { mend: "Give --name, --slug or --metadata." });
			const body = { tenantId, name, slug, metadata: readMetadata(metadata) };
			const { api, output } = openClient(options);
			const updated = await api.post("/tenant/update", { answer: tenantAnswer, body, repeatable: true });
			await output.result(updated, tenantText(updated));
		});
};
