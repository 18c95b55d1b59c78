import { readFileSync, writeFileSync } from "node:fs";
import { VARIABLES } from "../src/config/config.ts";
import { SECRETS } from "../src/config/secret-files.ts";

const BEGIN = "<!-- variables -->";
const END = "<!-- /variables -->";

type Described = {
	meta(): { description?: string } | undefined;
	safeParse(value: undefined): { success: boolean; data?: unknown };
};

/** A variable: its default in Markdown ("required" if it has none), and whether it can be read from a file. */
export type Variable = { name: string; fallback: string; isSecret: boolean; description: string };

/** Describes variables of the configuration. */
export const describeVariables = (variables: Record<string, Described>): Variable[] =>
	Object.entries(variables).map(([name, variable]) => ({
		name,
		fallback: defaultOf(variable),
		isSecret: isSecret(name),
		description: variable.meta()?.description ?? "",
	}));

/** The table of variables, generated from their descriptions. */
export const variableTable = (): string => {
	const rows = describeVariables(VARIABLES).map((variable) => [
		`\`${variable.name}\`${variable.isSecret ? " *" : ""}`,
		variable.fallback,
		variable.description.replaceAll("|", "\\|"),
	]);
	const lines = [["Variable", "Default", "Description"], ["---", "---", "---"], ...rows];
	const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
	return `${table}\n\n\\* Can be read from a file: set \`NAME_FILE\` to its path. This also works for \`SOCIAL_…_CLIENT_SECRET\`.`;
};

/** Replaces the table between the two markers of a README. */
export const withVariableTable = (readme: string): string => {
	const [before, rest] = [readme.indexOf(BEGIN), readme.indexOf(END)];
	if (before < 0 || rest < before)
		throw new Error(`The README has no ${BEGIN} and ${END}. Put them where the table belongs`);
	return `${readme.slice(0, before)}${BEGIN}\n\n${variableTable()}\n\n${readme.slice(rest)}`;
};

const isSecret = (name: string): boolean => SECRETS.some((secret) => secret === name);

const defaultOf = (variable: Described): string => {
	const { success, data } = variable.safeParse(undefined);
	if (!success) return "required";
	if (data === undefined || (Array.isArray(data) && data.length === 0)) return "";
	return `\`${String(data)}\``;
};

if (import.meta.main) {
	const readme = new URL("../README.md", import.meta.url);
	writeFileSync(readme, withVariableTable(readFileSync(readme, "utf8")));
}
