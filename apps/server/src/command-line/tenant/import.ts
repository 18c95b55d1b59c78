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
		says: "Make the tenants of an export, each with the id that it had; the server needs MANAGEMENT_TRANSFER=true",
		example: "tenant import tenants.ndjson --refused refused.ndjson",
	})
		.argument("[file]", "the file of an export; stdin without it")
		.option("--refused <file>", "list refused lines there; otherwise on stderr")
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
		// what is wrong with one line keeps no other out; what is wrong with the key or the server ends it
		if (!(error instanceof ApiError) || ![400, 409, 413].includes(error.status)) throw error;
		await report.refuse(line, error);
	}
};
