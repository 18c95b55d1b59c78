import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { ask, type Choices } from "./ask.ts";
import { problemOfName } from "./project-name.ts";
import { scaffold } from "./scaffold.ts";
import { TEMPLATES } from "./templates.ts";

const widest = Math.max(...TEMPLATES.map(({ name }) => name.length));

const HELP = `Creates an application in which the same email at two tenants is two users.

  npm create better-auth-tenants@latest [name] -- [--template <template>]

Templates:
${TEMPLATES.map(({ name, title }) => `  ${name.padEnd(widest)}  ${title}`).join("\n")}

Asks for what is missing. Never writes into a folder that is not empty.`;

/** Runs the command line. `templates` is the folder of the packed templates. Throws with a message for the user. */
export const run = async (args: string[], templates: string): Promise<void> => {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: { template: { type: "string", short: "t" }, help: { type: "boolean", short: "h" } },
	});
	if (values.help) return console.log(HELP);
	if (positionals.length > 1) throw new Error(`Give one name, not ${positionals.length}: ${positionals.join(" ")}`);
	const { name, template } = await complete({ name: positionals[0], template: values.template });
	const found = TEMPLATES.find((one) => one.name === template);
	const source = `${templates}/${found?.name}`;
	if (!found || !existsSync(source)) throw new Error(`The template ${template} is missing. Install the package again.`);
	await scaffold({ parent: process.cwd(), name, template: source });
	console.log(`\nCreated ${name} from the template ${template}, with fresh secrets in ${name}/.env. Next:\n`);
	for (const step of [`cd ${name}`, ...found.steps]) console.log(`  ${step}`);
	console.log("\nThen open http://localhost:3000. README.md explains the files.");
};

/** Checks what the command line says, before anything is asked or written. */
const complete = async (given: Partial<Choices>): Promise<Choices> => {
	const problem = given.name === undefined ? null : problemOfName(given.name);
	if (problem) throw new Error(problem);
	if (given.template !== undefined && !TEMPLATES.some(({ name }) => name === given.template))
		throw new Error(
			`There is no template ${given.template}. Use one of ${TEMPLATES.map(({ name }) => name).join(", ")}.`,
		);
	const { name, template } = given;
	if (name !== undefined && template !== undefined) return { name, template };
	if (!process.stdin.isTTY) throw new Error(`Give a name and --template.\n\n${HELP}`);
	return ask(given);
};
