import type { Command } from "commander";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { CommandError } from "../command-error.ts";
import { tenantAnswer, tenantText } from "./tenant.ts";

type Options = ClientOptions & { slug?: string };

/** `tenant get` */
export const addTenantGet = (tenant: Command): void => {
	clientCommand(tenant, "get", { says: "Show a tenant", example: "tenant get --slug acme" })
		.argument("[id]", "the tenant's id")
		.option("--slug <slug>", "the tenant's slug, instead of the id")
		.action(async (id: string | undefined, { slug, ...options }: Options) => {
			if ((id === undefined) === (slug === undefined))
				throw new CommandError("USAGE", "Name one tenant", { fix: "Pass either its id or --slug." });
			const { api, output } = openClient(options);
			const found = await api.get("/tenant/get", { answer: tenantAnswer, query: { id, slug } });
			await output.result(found, tenantText(found));
		});
};
