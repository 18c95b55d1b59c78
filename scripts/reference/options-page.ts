import { anchorOf, capital, code, firstSentence, link, type Page, prose, sentence, table } from "./markdown.ts";
import { allOptions, type Option, type Options } from "./options.ts";

const INTRODUCTION =
	"Every option of `tenantAuth()`, with its type, its default, what it does and an example. The other functions of `better-auth-tenants` that have options have pages of their own.";

/** The options of `tenantAuth`, with a table of all functions that have options. */
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
			...all.filter(isMain).flatMap((one) => [`## ${headingOf(one)}`, ...renderOptions(one, "###")]),
		],
	};
};

/** One page for each other function. A page with all of them is too long to read, and too large for a phone. */
export const functionOptionsPages = (): Page[] =>
	allOptions()
		.filter((one) => !isMain(one))
		.map((one) => ({
			file: fileOf(one),
			title: `Options of ${headingOf(one)}`,
			introduction: prose(one.docs.text),
			body: [
				...renderOptions({ ...one, docs: { ...one.docs, text: "" } }, "##"),
				"[All functions with options](options.md)",
			],
		}));

/** Its options are the ones that other pages link to. */
const isMain = ({ functions: [first] }: Options): boolean => first?.name === "tenantAuth";

/** `options-tenant-policy.md` for `tenantPolicy()`. */
const fileOf = ({ functions: [first] }: Options): string =>
	`options-${first?.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;

const headingOf = ({ functions }: Options): string => functions.map(({ name }) => code(`${name}()`)).join(", ");

const functionLinks = (one: Options): string =>
	isMain(one) ? link(headingOf(one), headingOf(one)) : `[${headingOf(one)}](${fileOf(one)})`;

const renderOptions = (one: Options, level: "##" | "###"): string[] => [
	prose(one.docs.text),
	...one.docs.examples,
	table(
		["Option", "Type", "Default"],
		one.options.map((option) => [
			link(code(option.path), code(option.path)),
			option.isGroup && option.type.endsWith("Options") ? "group" : code(option.type),
			shownDefault(option),
		]),
	),
	...one.options.flatMap((option) => [
		`${level} ${code(option.path)}`,
		`Type: ${code(option.type)}. ${option.isRequired ? capital(shownDefault(option)) : `Default: ${shownDefault(option)}`}.`,
		prose(option.docs.text),
		...option.docs.examples,
	]),
	...renderForeign(one, level),
];

const renderForeign = (one: Options, level: string): string[] => {
	if (one.foreign.length === 0) return [];
	return [
		`${level} Options that ${code(`${one.functions[0]?.name}()`)} passes on to Better Auth`,
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
