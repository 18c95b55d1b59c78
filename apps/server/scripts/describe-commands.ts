import type { Command, Option } from "commander";
import { createProgram } from "../src/command-line/program.ts";

/** A command of the command line, as its help shows it. */
export type CommandDescription = {
	/** with the names of the commands above it: `tenants tenant create` */
	name: string;
	description: string;
	usage: string;
	/** whether it only contains other commands */
	isGroup: boolean;
	takes: { name: string; isRequired: boolean; description: string }[];
	options: { flags: string; isRequired: boolean; fallback: string | null; description: string }[];
	/** the example of the help */
	examples: string;
};

/** Every command, parents first. */
export const describeCommands = (): CommandDescription[] => walk(createProgram(), "");

const walk = (command: Command, above: string): CommandDescription[] => {
	const name = `${above}${command.name()}`;
	return [describe(command, name), ...command.commands.flatMap((inner) => walk(inner, `${name} `))];
};

const describe = (command: Command, name: string): CommandDescription => ({
	name,
	description: command.description(),
	usage: `${name} ${command.usage()}`.trim(),
	isGroup: command.commands.length > 0,
	takes: command.registeredArguments.map((argument) => ({
		name: argument.name(),
		isRequired: argument.required,
		description: argument.description,
	})),
	options: command.options.filter(({ hidden }) => !hidden).map(describeOption),
	examples: exampleIn(command),
});

const describeOption = ({ flags, mandatory, defaultValue, description }: Option) => ({
	flags,
	isRequired: mandatory,
	fallback: defaultValue === undefined ? null : String(defaultValue),
	description,
});

const exampleIn = (command: Command): string => {
	let help = "";
	command.configureOutput({
		writeOut: (text) => {
			help += text;
		},
	});
	command.outputHelp();
	const [, shown = ""] = /Example:\n((?: {2}.*\n?)+)/.exec(help) ?? [];
	return shown
		.split("\n")
		.map((line) => line.trim().replace(/^\$ /, ""))
		.filter((line) => line !== "")
		.join("\n");
};
