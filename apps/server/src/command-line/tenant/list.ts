import { type Command, InvalidArgumentError } from "commander";
import { alignColumns, columnWidths, plainText } from "../../lib/plain-text.ts";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { listTenants } from "./list-tenants.ts";

type Options = ClientOptions & { limit?: number };

/** `tenant list` */
export const addTenantList = (tenant: Command): void => {
	clientCommand(tenant, "list", { says: "List tenants, newest first", example: "tenant list --limit 20" })
		.option("--limit <number>", "the maximum number (default: all)", readCount)
		.action(async ({ limit, ...options }: Options) => {
			const { api, output } = openClient(options);
			let widths: number[] = [];
			for await (const page of listTenants(api, limit)) {
				const rows = page.map(({ id, slug, name }) => [id, slug, name].map(plainText));
				widths = columnWidths(rows, widths);
				await output.lines(page, alignColumns(rows, widths));
			}
		});
};

const readCount = (given: string): number => {
	if (!/^[1-9]\d{0,8}$/.test(given)) throw new InvalidArgumentError("Use a whole number of 1 or more.");
	return Number(given);
};
