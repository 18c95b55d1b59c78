import type { Command } from "commander";
import * as z from "zod";
import type { ApiClient } from "../api-client.ts";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { ApiError, CommandError } from "../command-error.ts";
import { exportLines } from "../export-lines.ts";
import { createInFlight } from "../in-flight.ts";
import { listTenants } from "../tenant/list-tenants.ts";

type Options = ClientOptions & { tenant?: string; allTenants?: boolean };
type Take = (records: readonly unknown[]) => Promise<void>;

const PAGE = 500;
const AT_ONCE = 4;
const page = z.array(z.record(z.string(), z.unknown()));

/** `user export` */
export const addUserExport = (user: Command): void => {
	clientCommand(user, "export", {
		says: "Export users with their password hashes, one JSON object per line. The server needs MANAGEMENT_TRANSFER=true",
		example: "user export --tenant ID users.ndjson",
	})
		.argument("[file]", "the file to write, readable by you only (default: stdout)")
		.option("--tenant <id>", "the users of this tenant")
		.option("--all-tenants", "the users of all tenants; each line then has a tenantId")
		.action(async (file: string | undefined, { tenant, allTenants, ...options }: Options) => {
			if ((tenant === undefined) === (allTenants === undefined))
				throw new CommandError("USAGE", "Choose which users to export", {
					fix: "Pass either --tenant ID or --all-tenants.",
				});
			const { api, output } = openClient(options);
			const write = (take: Take) => (tenant === undefined ? exportAll(api, take) : exportUsers(api, tenant, take));
			await exportLines({ title: "Exporting", noun: "users", file, secret: true, output, write });
		});
};

const exportUsers = async (api: ApiClient, tenantId: string, take: Take): Promise<void> => {
	const call = { answer: page, query: { tenantId, limit: PAGE }, patience: "long" as const, timeout: 120 };
	for await (const users of api.pages("/tenant/export-users", call)) await take(users);
};

/** Exports several tenants at a time. Most are small, so one after the other would mostly wait for responses. */
const exportAll = async (api: ApiClient, take: Take): Promise<void> => {
	const inFlight = createInFlight(AT_ONCE);
	for await (const tenants of listTenants(api)) {
		for (const { id } of tenants) await inFlight.add(() => exportIfThere(api, id, take));
	}
	await inFlight.settle();
};

const exportIfThere = async (api: ApiClient, tenantId: string, take: Take): Promise<void> => {
	try {
		await exportUsers(api, tenantId, (users) => take(users.map((user) => ({ tenantId, ...Object(user) }))));
	} catch (error) {
		// deleted after it was listed
		if (!(error instanceof ApiError && error.code === "TENANT_NOT_FOUND")) throw error;
	}
};
