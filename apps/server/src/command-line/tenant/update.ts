import type { Command } from "commander";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { CommandError } from "../command-error.ts";
import { readMetadata, tenantAnswer, tenantText } from "./tenant.ts";

type Options = ClientOptions & { name?: string; slug?: string; metadata?: string };

/** `tenant update` */
export const addTenantUpdate = (tenant: Command): void => {
	clientCommand(tenant, "update", {
		says: "Update the given fields of a tenant",
		example: "tenant update ID --name 'Acme GmbH'",
	})
		.argument("<id>", "the tenant's id")
		.option("--name <name>", "the new name")
		.option("--slug <slug>", "the new slug; the old one becomes available immediately")
		.option("--metadata <json>", "a JSON object that replaces the old one")
		.action(async (tenantId: string, { name, slug, metadata, ...options }: Options) => {
			if (name === undefined && slug === undefined && metadata === undefined)
				throw new CommandError("USAGE", "There is nothing to update", { fix: "Pass --name, --slug or --metadata." });
			const body = { tenantId, name, slug, metadata: readMetadata(metadata) };
			const { api, output } = openClient(options);
			const updated = await api.post("/tenant/update", { answer: tenantAnswer, body, repeatable: true });
			await output.result(updated, tenantText(updated));
		});
};
