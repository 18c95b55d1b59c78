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
		says: "Import users with their password hashes. Existing users stay unchanged, so you can rerun an interrupted import. The server needs MANAGEMENT_TRANSFER=true",
		example: "user import --tenant ID users.ndjson --refused refused.ndjson",
	})
		.argument("[file]", "a file of users, one JSON object per line (default: stdin)")
		.option("--tenant <id>", "the target tenant (default: the tenantId of each line)")
		.option("--refused <file>", "the file that lists refused lines (default: stderr)")
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
	message: "This line has no tenantId, and --tenant is not set",
};
const OTHER_TENANT: Refusal = { code: "OTHER_TENANT", message: "The tenantId of this line differs from --tenant" };

/**
 * Reads the user and tenant of a line. A line that names another tenant than --tenant is refused, so users never end up
 * in the wrong tenant.
 */
const readUser = (
	{ line, record: { tenantId: named, ...user } }: NumberedRecord,
	tenant: string | undefined,
): UserLine | { refusal: Refusal } => {
	const tenantId = tenant ?? named;
	if (typeof tenantId !== "string" || tenantId === "") return { refusal: NO_TENANT };
	if (named !== undefined && named !== tenantId) return { refusal: OTHER_TENANT };
	// the server refuses a line whose accounts are not a list
	const accounts = Array.isArray(user.accounts) ? user.accounts.length : 0;
	return { line, tenantId, json: JSON.stringify(user), accounts };
};
