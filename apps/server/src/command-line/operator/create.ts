import type { Command } from "commander";
import { plainText } from "../../lib/plain-text.ts";
import { JSON_OPTION } from "../client-command.ts";
import { CommandError } from "../command-error.ts";
import { createOutput } from "../output.ts";
import { withEngine } from "../with-engine.ts";
import { choosePassword, showCreated } from "./choose-password.ts";
import { noteChanges } from "./with-operators.ts";

type Options = { name: string; passwordStdin?: boolean; json?: boolean };

const FIX = "Run `tenants migrate` first, then this command again.";

/** `operator create` */
export const addOperatorCreate = (operator: Command): void => {
	operator
		.command("create")
		.description("Create a platform user with the first role of MANAGEMENT_ROLES, who can manage every tenant")
		.argument("<email>", "the email to sign in with; it counts as verified")
		.requiredOption("--name <name>", "the display name")
		.option("--password-stdin", "read the password from stdin (default: ask, or create one without a terminal)")
		.option(...JSON_OPTION)
		.addHelpText(
			"after",
			'\nIt works on the database, so it needs the variables of the server.\n\nExample:\n  $ tenants operator create ada@example.com --name "Ada Lovelace"',
		)
		.action(async (email: string, { name, passwordStdin = false, ...options }: Options) => {
			const output = createOutput(options);
			const role = await operatorRole();
			await withEngine(
				async (auth, pool) => {
					const { minPasswordLength: least, maxPasswordLength: most } = (await auth.$context).password.config;
					const { password, isCreated } = await choosePassword({ fromStdin: passwordStdin, least, most });
					const { createOperator } = await import("./create-operator.ts");
					// before, and so without an id: what cannot be noted does not happen
					const note = await noteChanges(pool);
					await note("operator:create");
					const user = await createOperator(auth, { email, name, role, password });
					await note("operator:created", user.id);
					await output.result(
						{ ...user, role, ...(isCreated ? { password } : {}) },
						`Created ${plainText(user.email)} with the role ${plainText(role)}${showCreated({ password, isCreated })}`,
					);
				},
				{ code: "OPERATOR_NOT_CREATED", fix: FIX },
			);
		});
};

/** Without a role, the new user could manage nothing. */
const operatorRole = async (): Promise<string> => {
	const { readConfig } = await import("../../config/config.ts");
	const [role] = readConfig(process.env).management.roles;
	if (role !== undefined) return role;
	throw new CommandError("NO_OPERATOR_ROLE", "MANAGEMENT_ROLES is empty, so no user can be an operator", {
		fix: "Set MANAGEMENT_ROLES=admin, and add admin to PLUGINS. Restart the server with the same variables.",
	});
};
