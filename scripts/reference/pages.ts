import { cliPage } from "./cli-page.ts";
import { endpointsPage } from "./endpoints-page.ts";
import { environmentVariablesPage } from "./environment-variables-page.ts";
import { errorCodesPage } from "./error-codes-page.ts";
import { exportsPage } from "./exports-page.ts";
import { firstSentence, type Page, renderPage } from "./markdown.ts";
import { metricsPage } from "./metrics-page.ts";
import { functionOptionsPages, optionsPage } from "./options-page.ts";
import { startupErrorsPage } from "./startup-errors-page.ts";
import { tablesPage, tablesPicture } from "./tables-page.ts";

const INTRODUCTION =
	"The reference of `better-auth-tenants` and of its service. Every page is generated from the code, and a test fails if a page and the code differ.";

/** Every file of the reference with its contents, by its path from docs/. */
export const renderReference = async (): Promise<Map<string, string>> => {
	const pages = [
		optionsPage(),
		exportsPage(),
		await endpointsPage(),
		errorCodesPage(),
		startupErrorsPage(),
		tablesPage(),
		environmentVariablesPage(),
		cliPage(),
		metricsPage(),
	];
	return new Map([
		["reference/README.md", renderPage(indexOf(pages))],
		...[...pages, ...functionOptionsPages()].map((page): [string, string] => [
			`reference/${page.file}`,
			renderPage(page),
		]),
		...(["light", "dark"] as const).map((theme): [string, string] => [
			`pictures/tables-${theme}.svg`,
			tablesPicture(theme),
		]),
	]);
};

const indexOf = (pages: Page[]): Page => ({
	file: "README.md",
	title: "Reference",
	introduction: INTRODUCTION,
	body: [
		pages
			.map(({ file, title, introduction }) => `- [${title}](${file}): ${lower(firstSentence(introduction))}`)
			.join("\n"),
		"`pnpm docs:reference` writes these pages.",
	],
});

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
