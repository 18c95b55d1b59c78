import type { Command } from "commander";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { importLines, type NumberedRecord } from "../import-lines.ts";
import type { Refusal } from "../ndjson.ts";
import { sendUsers } from "./send-users.ts";
import { createUserBatches, type UserLine } from "./user-batches.ts";

type Options = ClientOptions & { tenant?: string; refused?: string };

/** `user import` */
export const addUserImport = (user: Command): void => {
	clientCommand(user, "import", {
		says: "Take users with their password hashes into tenants. Who is there already stays as he is, so an import that was cut off is simply run again; the server needs MANAGEMENT_TRANSFER=true",
		example: "user import --tenant ID users.ndjson --refused refused.ndjson",
	})
		.argument("[file]", "a file of users, one JSON object a line; stdin without it")
		.option("--tenant <id>", "the tenant to take them into; otherwise each line says its tenantId")
		.option("--refused <file>", "list refused lines there; otherwise on stderr")
		.action(async (file: string | undefined, { tenant, refused, ...options }: Options) => {
			const { api, output } = openClient(options);
			const batches = createUserBatches();
			await importLines({
				title: "Importing users",
				file,
				refused,
				output,
				take: async (line, { inFlight, report }) => {
					const read = readUser(line, tenant);
					if ("refusal" in read) return report.refuse(line.line, read.refusal);
					for (const batch of batches.add(read))
						await inFlight.add(() => sendUsers(batch, { api, report, skipsMissingTenants: tenant === undefined }));
				},
				finish: async ({ inFlight, report }) => {
					for (const batch of batches.rest())
						await inFlight.add(() => sendUsers(batch, { api, report, skipsMissingTenants: tenant === undefined }));
				},
			});
		});
};

const NO_TENANT: Refusal = {
	code: "TENANT_ID_REQUIRED",
	message: "This line has no tenantId, and there is no --tenant",
};
const OTHER_TENANT: Refusal = { code: "OTHER_TENANT", message: "This line is of another tenant than --tenant says" };

/** Whose a line is. One that names another tenant than the command is refused: it would make strangers one tenant's users. */
const readUser = (
	{ line, record: { tenantId: named, ...user } }: NumberedRecord,
	tenant: string | undefined,
): UserLine | { refusal: Refusal } => {
	const tenantId = tenant ?? named;
	if (typeof tenantId !== "string" || tenantId === "") return { refusal: NO_TENANT };
	if (named !== undefined && named !== tenantId) return { refusal: OTHER_TENANT };
	// a line whose accounts are no list is for the server to refuse
	const accounts = Array.isArray(user.accounts) ? user.accounts.length : 0;
	return { line, tenantId, json: JSON.stringify(user), accounts };
};
