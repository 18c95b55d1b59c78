import type { Command } from "commander";
import * as z from "zod";
import type { ApiClient } from "../api-client.ts";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { ApiError } from "../command-error.ts";
import { importLines, type NumberedRecord } from "../import-lines.ts";
import type { ImportReport } from "../import-report.ts";

type Options = ClientOptions & { refused?: string };

const answer = z.object({ existing: z.boolean() });

/** `tenant import` */
export const addTenantImport = (tenant: Command): void => {
	clientCommand(tenant, "import", {
		says: "Create the tenants of an export with their original ids. The server needs MANAGEMENT_TRANSFER=true",
		example: "tenant import tenants.ndjson --refused refused.ndjson",
	})
		.argument("[file]", "the exported file (default: stdin)")
		.option("--refused <file>", "the file that lists refused lines (default: stderr)")
		.action(async (file: string | undefined, { refused, ...options }: Options) => {
			const { api, output } = openClient(options);
			await importLines({
				title: "Importing tenants",
				file,
				refused,
				output,
				take: (line, { inFlight, report }) => inFlight.add(() => importTenant(api, line, report)),
			});
		});
};

const importTenant = async (api: ApiClient, { line, record }: NumberedRecord, report: ImportReport): Promise<void> => {
	try {
		const { existing } = await api.post("/tenant/import", { answer, body: record, repeatable: true, patience: "long" });
		report.add(existing ? { imported: 0, existing: 1 } : { imported: 1, existing: 0 });
	} catch (error) {
		// an invalid line does not stop the import; a problem with the key or the server does
		if (!(error instanceof ApiError) || ![400, 409, 413].includes(error.status)) throw error;
		await report.refuse(line, error);
	}
};
