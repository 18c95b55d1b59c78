import type { Command } from "commander";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { exportLines } from "../export-lines.ts";
import { listTenants } from "./list-tenants.ts";

/** `tenant export` */
export const addTenantExport = (tenant: Command): void => {
	clientCommand(tenant, "export", {
		says: "Export all tenants, one JSON object per line, without users and credentials",
		example: "tenant export tenants.ndjson",
	})
		.argument("[file]", "the file to write (default: stdout)")
		.action(async (file: string | undefined, options: ClientOptions) => {
			const { api, output } = openClient(options);
			await exportLines({
				title: "Exporting",
				noun: "tenants",
				file,
				secret: false,
				output,
				write: async (take) => {
					for await (const page of listTenants(api)) await take(page);
				},
			});
		});
};
