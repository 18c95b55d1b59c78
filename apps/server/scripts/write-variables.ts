import { readFileSync, writeFileSync } from "node:fs";
import { VARIABLES } from "../src/config/config.ts";
import { SECRETS } from "../src/config/secret-files.ts";

const BEGIN = "<!-- variables -->";
const END = "<!-- /variables -->";

type Described = {
	meta(): { description?: string } | undefined;
	safeParse(value: undefined): { success: boolean; data?: unknown };
};

/** The table of variables, generated from their descriptions. */
export const variableTable = (): string => {
	const rows = Object.entries<Described>(VARIABLES).map(([name, variable]) => [
		`\`${name}\`${isSecret(name) ? " *" : ""}`,
		defaultOf(variable),
		(variable.meta()?.description ?? "").replaceAll("|", "\\|"),
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
