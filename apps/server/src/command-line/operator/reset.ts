import type { Command } from "commander";
import { plainText } from "../../lib/plain-text.ts";
import { JSON_OPTION } from "../client-command.ts";
import { createOutput } from "../output.ts";
import { choosePassword, showCreated } from "./choose-password.ts";
import { required, withOperators } from "./with-operators.ts";

type Options = { passwordStdin?: boolean; json?: boolean };

/** `operator reset` */
export const addOperatorReset = (operator: Command): void => {
	operator
		.command("reset")
		.description(
			"Give an operator who lost them a new password, without second factor and passkeys. Ends their sessions and open links",
		)
		.argument("<email>", "the operator's email")
		.option("--password-stdin", "read the password from stdin (default: ask, or create one without a terminal)")
		.option(...JSON_OPTION)
		.addHelpText(
			"after",
			"\nIt works on the database, so it needs the variables of the server.\n\nExample:\n  $ tenants operator reset ada@example.com",
		)
		.action(async (email: string, { passwordStdin = false, ...options }: Options) => {
			const output = createOutput(options);
			await withOperators(async (operators, auth) => {
				const { minPasswordLength: least, maxPasswordLength: most } = (await auth.$context).password.config;
				const { password, isCreated } = await choosePassword({ fromStdin: passwordStdin, least, most });
				const changed = required(await operators.reset(email, password), email);
				await output.result(
					{ ...changed, ...(isCreated ? { password } : {}) },
					`Reset ${plainText(changed.email)}. They set up a second factor after they sign in${showCreated({ password, isCreated })}`,
				);
			});
		});
};
