import { anchorOf, capital, code, firstSentence, link, type Page, prose, sentence, table } from "./markdown.ts";
import { allOptions, type Option, type Options } from "./options.ts";

const INTRODUCTION =
	"Every option of the functions that `better-auth-tenants` exports, with its type, its default, what it does and an example.";

export const optionsPage = (): Page => {
	const all = allOptions();
	return {
		file: "options.md",
		title: "Options",
		introduction: INTRODUCTION,
		body: [
			table(
				["Function", "Options", "What it does"],
				all.map((one) => [functionLinks(one), code(one.typeName), firstSentence(one.functions[0]?.docs.text ?? "")]),
			),
			...all.flatMap(renderOptions),
		],
	};
};

const headingOf = ({ functions }: Options): string => functions.map(({ name }) => code(`${name}()`)).join(", ");

const functionLinks = (one: Options): string => link(headingOf(one), headingOf(one));

/** The heading of an option. Only `tenantAuth` needs no mark, because its options are the ones that others link to. */
const titleOf = ({ functions: [first] }: Options, { path }: Option): string =>
	first?.name === "tenantAuth" ? code(path) : `${code(path)} of ${code(`${first?.name}()`)}`;

const renderOptions = (one: Options): string[] => [
	`## ${headingOf(one)}`,
	prose(one.docs.text),
	...one.docs.examples,
	table(
		["Option", "Type", "Default"],
		one.options.map((option) => [
			link(code(option.path), titleOf(one, option)),
			option.isGroup && option.type.endsWith("Options") ? "group" : code(option.type),
			shownDefault(option),
		]),
	),
	...one.options.flatMap((option) => [
		`### ${titleOf(one, option)}`,
		`Type: ${code(option.type)}. ${option.isRequired ? capital(shownDefault(option)) : `Default: ${shownDefault(option)}`}.`,
		prose(option.docs.text),
		...option.docs.examples,
	]),
	...renderForeign(one),
];

const renderForeign = (one: Options): string[] => {
	if (one.foreign.length === 0) return [];
	return [
		`### Options that ${code(`${one.functions[0]?.name}()`)} passes on to Better Auth`,
		table(
			["Option", "Type", "Meaning"],
			one.foreign.map(({ path, type, isRequired, text }) => [
				code(path),
				code(type),
				[isRequired ? "Required." : "", text ? sentence(prose(text)) : "See Better Auth."].filter(Boolean).join(" "),
			]),
		),
	];
};

/** Values are in code font, explanations are not. */
const VALUE = /^(?:true|false|null|undefined|-?\d[\d_]*|"[^"]*"|\[.*\]|\{.*\})$/;

const shownDefault = ({ docs, isRequired, isGroup, oneOf }: Option): string => {
	if (oneOf) return `required: one of ${oneOf.map(code).join(" and ")}`;
	if (isRequired) return "required";
	if (docs.fallback === null) return isGroup ? "see its options" : "none";
	return VALUE.test(docs.fallback) ? code(docs.fallback) : prose(docs.fallback);
};

/** The address of an option of `tenantAuth`, for links from other pages. */
export const optionLink = (path: string): string => `[${code(path)}](options.md#${anchorOf(path)})`;
