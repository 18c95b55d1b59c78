import ts from "typescript";
import { type CommandDescription, describeCommands } from "../../apps/server/scripts/describe-commands.ts";
import { capital, code, fence, link, type Page, prose, sentence, table } from "./markdown.ts";
import { filesBelow, SERVICE, walk } from "./program.ts";
import { textOf } from "./startup-messages.ts";

const INTRODUCTION =
	"Every command of `tenants`, the command line of the service, with its arguments and options. Add `--help` to a command to see the same.";

const EXIT_CODES = [
	["0", "The command succeeded. Also if the reader of its output, such as `head`, ended first"],
	[
		"1",
		"Something failed or was refused: `doctor` found something wrong, an import refused a user, or `reencrypt` could not decrypt a value",
	],
	["130, 143", "A second SIGINT or SIGTERM ended `serve` before its requests were complete"],
];

const ERRORS =
	"A failure is written to stderr, with its code and what to do. With `--json` it is an object with `code`, `message` and `fix`. Errors of the server keep their [code](error-codes.md). `DEBUG=1` adds the stack.";

export const cliPage = (): Page => {
	const commands = describeCommands();
	return {
		file: "cli.md",
		title: "Command line",
		introduction: INTRODUCTION,
		body: [
			table(
				["Command", "What it does"],
				commands
					.filter(({ isGroup }) => !isGroup)
					.map(({ name, description }) => [link(code(name), name), sentence(description)]),
			),
			...commands.flatMap(renderCommand),
			"## Exit codes",
			table(
				["Code", "Meaning"],
				EXIT_CODES.map(([exit = "", meaning = ""]) => [exit, sentence(meaning)]),
			),
			"## Errors of the command line",
			ERRORS,
			table(
				["Code", "Message", "Fix"],
				commandErrors().map(({ name, message, fix }) => [code(name), message, fix]),
			),
		],
	};
};

const renderCommand = ({ name, description, usage, takes, options, examples }: CommandDescription): string[] => [
	`## ${code(name)}`,
	sentence(description),
	fence("sh", usage),
	...(takes.length > 0
		? [
				table(
					["Argument", "Required", "Meaning"],
					takes.map((one) => [code(one.name), one.isRequired ? "yes" : "no", sentence(capital(one.description))]),
				),
			]
		: []),
	...(options.length > 0
		? [
				table(
					["Option", "Default", "Meaning"],
					options.map((one) => [
						code(one.flags),
						one.isRequired ? "required" : one.fallback === null ? "none" : code(one.fallback),
						sentence(capital(one.description)),
					]),
				),
			]
		: []),
	...(examples ? ["Example:", fence("sh", examples)] : []),
];

/** Every error that the command line itself reports: `new CommandError(code, message, { fix })`. */
const commandErrors = (): { name: string; message: string; fix: string }[] => {
	const found = new Map<string, { name: string; message: string; fix: string }>();
	for (const file of filesBelow(SERVICE))
		walk(file, (node) => {
			if (!ts.isNewExpression(node) || node.expression.getText() !== "CommandError") return;
			const [name, message, further] = node.arguments ?? [];
			if (!name || !ts.isStringLiteral(name)) return;
			const text = textOf(message) === null ? "…" : sentence(textOf(message) ?? "");
			found.set(`${name.text} ${text}`, { name: name.text, message: text, fix: fixIn(further) });
		});
	return [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name));
};

const fixIn = (further: ts.Node | undefined): string => {
	let fix = "";
	if (further)
		walk(further, (node) => {
			if (ts.isPropertyAssignment(node) && node.name.getText() === "fix") fix = textOf(node.initializer) ?? "";
		});
	return prose(fix);
};
