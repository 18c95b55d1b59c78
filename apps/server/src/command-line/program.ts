import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { addDoctor } from "./doctor-command.ts";
import { addMigrate } from "./migrate-command.ts";
import { addOauthConfigDelete } from "./oauth-config/delete.ts";
import { addOauthConfigList } from "./oauth-config/list.ts";
import { addOauthConfigRegister } from "./oauth-config/register.ts";
import { addOperatorDisable, addOperatorEnable, addOperatorList, addOperatorRemove } from "./operator/change.ts";
import { addOperatorCreate } from "./operator/create.ts";
import { addOperatorReset } from "./operator/reset.ts";
import { addReencrypt } from "./reencrypt-command.ts";
import { addRestored } from "./restored-command.ts";
import { addServe } from "./serve-command.ts";
import { addSweep } from "./sweep-command.ts";
import { addTenantCreate } from "./tenant/create.ts";
import { addTenantDelete } from "./tenant/delete.ts";
import { addTenantExport } from "./tenant/export.ts";
import { addTenantGet } from "./tenant/get.ts";
import { addTenantImport } from "./tenant/import.ts";
import { addTenantList } from "./tenant/list.ts";
import { addTenantMail } from "./tenant/mail.ts";
import { addTenantArchive, addTenantRestore, addTenantSuspend } from "./tenant/state.ts";
import { addTenantUpdate } from "./tenant/update.ts";
import { addUserExport } from "./user/export.ts";
import { addUserImport } from "./user/import.ts";

/** Creates the command-line program. */
export const createProgram = (): Command => {
	const program = new Command("tenants")
		.description("Run a multi-tenant auth server and manage its tenants")
		.version(manifest.version, "--version", "show the version")
		// `run` reports errors, as text or JSON
		.exitOverride()
		.configureOutput({ outputError: () => {} })
		.addHelpText("after", "\nExample:\n  $ tenants doctor\n\nRun `tenants COMMAND --help` for details.");

	addServe(program);
	addMigrate(program);
	addDoctor(program);
	addRestored(program);
	addReencrypt(program);
	addSweep(program);

	addGroup(program, {
		name: "operator",
		says: "Create, list, disable, reset and remove the users who manage every tenant",
		example: 'tenants operator create ada@example.com --name "Ada Lovelace"',
		adds: [
			addOperatorCreate,
			addOperatorList,
			addOperatorDisable,
			addOperatorEnable,
			addOperatorReset,
			addOperatorRemove,
		],
	});

	addGroup(program, {
		name: "tenant",
		says: "Create, show, update, suspend, delete, export and import tenants",
		example: "tenants tenant list",
		adds: [
			addTenantCreate,
			addTenantGet,
			addTenantList,
			addTenantUpdate,
			addTenantMail,
			addTenantSuspend,
			addTenantArchive,
			addTenantRestore,
			addTenantDelete,
			addTenantExport,
			addTenantImport,
		],
	});

	addGroup(program, {
		name: "oauth-config",
		says: "Manage a tenant's credentials for social providers",
		example: "tenants oauth-config list --tenant ID",
		adds: [addOauthConfigRegister, addOauthConfigList, addOauthConfigDelete],
	});

	addGroup(program, {
		name: "user",
		says: "Export and import users with their password hashes",
		example: "tenants user export --tenant ID users.ndjson",
		adds: [addUserExport, addUserImport],
	});

	return program;
};

type Group = { name: string; says: string; example: string; adds: ((group: Command) => void)[] };

/** Commands about one thing: `tenants NAME …`. */
const addGroup = (program: Command, { name, says, example, adds }: Group): void => {
	const group = program.command(name).description(says).addHelpText("after", `\nExample:\n  $ ${example}`);
	for (const add of adds) add(group);
};
