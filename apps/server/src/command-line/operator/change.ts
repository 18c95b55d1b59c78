import type { Command } from "commander";
import { alignColumns, columnWidths, plainText } from "../../lib/plain-text.ts";
import type { Operator } from "../../operators/find-operators.ts";
import { JSON_OPTION } from "../client-command.ts";
import { confirm } from "../confirm.ts";
import { createOutput } from "../output.ts";
import { required, withOperators } from "./with-operators.ts";

type Options = { json?: boolean };

const NEEDS = "It works on the database, so it needs the variables of the server.";

/** `operator list` */
export const addOperatorList = (operator: Command): void => {
	operator
		.command("list")
		.description("List operators: their roles, whether they are disabled, have a second factor, and signed in last")
		.option(...JSON_OPTION)
		.addHelpText("after", `\n${NEEDS}\n\nExample:\n  $ tenants operator list`)
		.action(async (options: Options) => {
			const output = createOutput(options);
			await withOperators(async (operators) => {
				const all = await operators.list();
				const rows = all.map(columnsOf);
				await output.lines(all, alignColumns(rows, columnWidths(rows, [])));
			});
		});
};

const columnsOf = ({ email, name, roles, disabled, secondFactor, lastSignInAt }: Operator): string[] =>
	[
		email,
		name,
		roles.join(",") || "-",
		disabled ? "disabled" : "active",
		secondFactor ? "second factor" : "password only",
		lastSignInAt ? `signed in ${lastSignInAt.slice(0, 10)}` : "not signed in",
	].map(plainText);

type Change = {
	name: "disable" | "enable" | "remove";
	says: string;
	/** what the output says */
	did: string;
	/** asked on a terminal, unless --yes is passed */
	asks?: string;
};

const addChange = (operator: Command, { name, says, did, asks }: Change): void => {
	const command = operator
		.command(name)
		.description(says)
		.argument("<email>", "the operator's email")
		.option(...JSON_OPTION)
		.addHelpText("after", `\n${NEEDS}\n\nExample:\n  $ tenants operator ${name} ada@example.com`);
	if (asks) command.option("--yes", "skip the confirmation");
	command.action(async (email: string, { yes = false, ...options }: Options & { yes?: boolean }) => {
		const output = createOutput(options);
		if (asks && !yes) await confirm(asks);
		await withOperators(async (operators) => {
			const changed = required(await operators[name](email), email);
			await output.result(changed, `${did} ${plainText(changed.email)}`);
		});
	});
};

/** `operator disable` */
export const addOperatorDisable = (operator: Command): void =>
	addChange(operator, {
		name: "disable",
		says: "Disable an operator: sessions end, and nobody signs in as them until `operator enable`",
		did: "Disabled",
	});

/** `operator enable` */
export const addOperatorEnable = (operator: Command): void =>
	addChange(operator, { name: "enable", says: "Let a disabled operator sign in again", did: "Enabled" });

/** `operator remove` */
export const addOperatorRemove = (operator: Command): void =>
	addChange(operator, {
		name: "remove",
		says: "Delete an operator with sessions, second factor and passkeys",
		did: "Removed",
		asks: "This permanently deletes the operator. To keep the name in the audit log readable, disable them instead.",
	});
