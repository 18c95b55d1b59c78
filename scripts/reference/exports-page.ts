import ts from "typescript";
import { docsOf } from "../public-docs.ts";
import { grouped } from "./grouped.ts";
import { code, fence, link, type Page, prose, SIGNATURE, table } from "./markdown.ts";
import { type Export, kindOf, publicExports, signatureOf, typeText } from "./public-api.ts";

const INTRODUCTION =
	"Everything that the entries of `better-auth-tenants` and `better-auth-tenants-react` export: what it is, its signature, what it does and an example.";

export const exportsPage = (): Page => {
	const entries = grouped(publicExports(), ({ entry }) => entry);
	return {
		file: "exports.md",
		title: "Exports",
		introduction: INTRODUCTION,
		body: [
			table(
				["Entry", "Exports"],
				[...entries].map(([entry, all]) => [
					link(code(entry), entry),
					all.map((one) => link(code(one.name), titleOf(one))).join(", "),
				]),
			),
			...[...entries].flatMap(([entry, all]) => [`## ${code(entry)}`, ...all.flatMap(renderExport)]),
		],
	};
};

const MAIN = "better-auth-tenants";

/** Two entries export the same names. */
const titleOf = ({ entry, name }: Export): string =>
	entry === MAIN || !isAlsoInMain(name) ? code(name) : `${code(name)} of ${code(entry)}`;

const isAlsoInMain = (name: string): boolean => publicExports().some((one) => one.entry === MAIN && one.name === name);

const KINDS = { function: "Function", type: "Type", constant: "Constant" };

const renderExport = (one: Export): string[] => {
	const heading = `### ${titleOf(one)}`;
	if (titleOf(one) !== code(one.name))
		return [heading, `${KINDS[kindOf(one)]}. The same as ${link(code(one.name), code(one.name))} of ${code(MAIN)}.`];
	const from = `${KINDS[kindOf(one)]}. ${code(`import ${kindOf(one) === "type" ? "type " : ""}{ ${one.name} } from "${one.entry}"`)}`;
	return [
		heading,
		from,
		`${SIGNATURE}\n\n${fence("ts", signatureOf(one))}`,
		prose(one.docs.text),
		...membersOf(one),
		...one.docs.examples,
		...furtherPages(one),
	];
};

/** The properties of an exported type, with their descriptions. */
const membersOf = ({ declaration }: Export): string[] => {
	if (!ts.isTypeAliasDeclaration(declaration)) return [];
	const rows = propertiesIn(declaration.type).flatMap((member) => {
		const { text } = docsOf(member);
		return text ? [[code(member.name.getText()), member.type ? code(typeText(member.type)) : "", prose(text)]] : [];
	});
	return rows.length > 0 ? [table(["Property", "Type", "Meaning"], rows)] : [];
};

const propertiesIn = (type: ts.TypeNode): ts.PropertySignature[] => {
	if (ts.isTypeLiteralNode(type)) return type.members.filter(ts.isPropertySignature);
	if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) return type.types.flatMap(propertiesIn);
	return ts.isParenthesizedTypeNode(type) ? propertiesIn(type.type) : [];
};

const furtherPages = ({ name }: Export): string[] => {
	if (name.endsWith("_ERROR_CODES")) return ["Each code with its cause and fix: [Error codes](error-codes.md)."];
	return name.endsWith("Options") ? ["Each option with its default: [Options](options.md)."] : [];
};
