import { variableSections } from "../../apps/server/scripts/variable-sections.ts";
import { VARIABLES } from "../../apps/server/src/config/config.ts";
import { SOCIAL_SETTINGS } from "../../apps/server/src/config/social-providers.ts";
import { anchorOf, code, link, type Page, prose, sentence, table } from "./markdown.ts";

const INTRODUCTION =
	"Every environment variable of the service, with its default and meaning. The service reads them once, at start, and lists all mistakes at once.";

const SECRETS =
	"A secret can also be read from a file: set the variable with `_FILE` at its end to the path, for example `AUTH_SECRET_FILE`. Set one of the two.";

const SOCIAL =
	"Social providers for all tenants without their own credentials. Replace `GOOGLE` by the id of any [built-in provider](../providers.md) in capital letters. The client secret can be read from a file.";

export const environmentVariablesPage = (): Page => {
	const sections = variableSections();
	const shown = new Set(sections.flatMap(({ variables }) => variables.map(({ name }) => name)));
	const missing = Object.keys(VARIABLES).filter((name) => !shown.has(name));
	if (missing.length > 0) throw new Error(`${missing.join(", ")}: add the section to variable-sections.ts.`);
	return {
		file: "environment-variables.md",
		title: "Environment variables",
		introduction: INTRODUCTION,
		body: [
			SECRETS,
			...sections.flatMap(({ title, variables }) => [
				`## ${title}`,
				table(
					["Variable", "Default", "Secret", "Meaning"],
					variables.map(({ name, fallback, isSecret, description }) => [
						`<a id="${anchorOf(name)}"></a>${code(name)}`,
						fallback || "none",
						isSecret ? "yes" : "no",
						prose(sentence(description)),
					]),
				),
			]),
			"## Social providers",
			SOCIAL,
			table(
				["Variable", "Option of the provider"],
				Object.entries(SOCIAL_SETTINGS).map(([name, option]) => [code(`SOCIAL_GOOGLE_${name}`), code(option)]),
			),
			`The commands of the [command line](cli.md) that call the server read ${link(code("AUTH_URL"), "AUTH_URL")}, ${link(code("BASE_PATH"), "BASE_PATH")} and ${code("MANAGEMENT_KEY")}.`,
		],
	};
};
