import { relative } from "node:path";
import ts from "typescript";
import { filesBelow, PACKAGE, SERVICE, sourceProgram, walk } from "./program.ts";

/** A message in the code. What is filled in at run time is shown as an ellipsis. */
export type Message = { text: string; file: string };

/** The text of a literal, a template, or a constant that is one. Null for anything else. */
export const textOf = (node: ts.Node | undefined): string | null => {
	if (!node) return null;
	if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
	if (ts.isIdentifier(node)) return constantText(node);
	if (!ts.isTemplateExpression(node)) return null;
	const spans = node.templateSpans.map(({ expression, literal }) => `${filledIn(expression)}${literal.text}`);
	return [node.head.text, ...spans].join("");
};

/** What stands for an expression in a message: the text of a constant, or an ellipsis. */
const filledIn = (expression: ts.Expression): string =>
	ts.isIdentifier(expression) ? (constantText(expression) ?? "…") : "…";

const constantText = (name: ts.Identifier): string | null => {
	const checker = sourceProgram().getTypeChecker();
	const symbol = checker.getSymbolAtLocation(name);
	const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
	const declaration = target?.valueDeclaration;
	if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return null;
	return ts.isIdentifier(declaration.initializer) ? null : textOf(declaration.initializer);
};

/** The files whose functions return complaints, each a reason not to start or to keep tenants closed. */
const COMPLAINTS = [
	"src/plugin/startup-checks.ts",
	"src/plugin/host-checks.ts",
	"src/plugin/storage-checks.ts",
	"src/engine/check-versions.ts",
	"src/scope/compose/shared-state.ts",
	"src/features/passkey/check-origins.ts",
	"src/features/oauth/check-callback-host.ts",
	"src/features/database/check.ts",
];
/** Parts of a complaint that stand in a constant. */
const FRAGMENTS = new Set(["EXAMPLE", "about", "migrate", "steps"]);

/** What stops or warns in the package: thrown `BetterAuthError`s, complaints, and warnings in the log. */
export const packageMessages = (): Message[] =>
	unique(
		filesBelow(PACKAGE).flatMap((source) => {
			const file = relative(PACKAGE, source.fileName);
			const texts: string[] = [];
			walk(source, (node) => {
				const text = thrownBy(node) ?? warnedBy(node) ?? (COMPLAINTS.includes(file) ? complaintOf(node) : null);
				if (text !== null) texts.push(text);
			});
			return texts.map((text) => ({ text, file }));
		}),
	);

const thrownBy = (node: ts.Node): string | null =>
	ts.isNewExpression(node) && node.expression.getText() === "BetterAuthError" ? textOf(node.arguments?.[0]) : null;

const warnedBy = (node: ts.Node): string | null => {
	if (!ts.isCallExpression(node) || !/\blogger\.warn$/.test(node.expression.getText())) return null;
	let text: string | null = null;
	walk(node.arguments[0] ?? node, (part) => {
		text ??= ts.isIdentifier(part) ? null : textOf(part);
	});
	return text;
};

/** A text of several words that is not a part of another one. */
const complaintOf = (node: ts.Node): string | null => {
	const text = ts.isIdentifier(node) ? null : textOf(node);
	if (text === null || text.split(" ").length < 5 || text.startsWith("tenantAuth keeps")) return null;
	for (let at = node; at.parent; at = at.parent) {
		if (ts.isNewExpression(at.parent) || ts.isPropertyAssignment(at.parent) || ts.isTemplateSpan(at.parent))
			return null;
		if (ts.isVariableDeclaration(at.parent) && FRAGMENTS.has(at.parent.name.getText())) return null;
	}
	return text;
};

/** What the service complains about at start: mistakes of the configuration, and parts that do not respond. */
export const serviceMessages = (): Message[] =>
	unique(
		filesBelow(SERVICE)
			.filter(({ fileName }) => /\/src\/(config|serve)\//.test(fileName))
			.flatMap((source) => {
				const texts: string[] = [];
				walk(source, (node) => texts.push(...mistakesIn(node)));
				return texts.map((text) => ({ text, file: relative(SERVICE, source.fileName) }));
			}),
	);

const mistakesIn = (node: ts.Node): string[] => {
	if (ts.isPropertyAssignment(node) && node.name.getText() === "error") return asVariable(textOf(node.initializer));
	if (ts.isNewExpression(node) && node.expression.getText() === "StartError")
		return asList(textOf(node.arguments?.[0]));
	if (ts.isArrowFunction(node) && /ENGINE_VARIABLES/.test(node.parent.getText())) return asList(textOf(node.body));
	if (!ts.isCallExpression(node)) return [];
	const [first, second] = node.arguments;
	if (node.expression.getText() === "mistakes.push") return asList(textOf(first));
	if (node.expression.getText() === "starting") return [`${textOf(first)} (…). ${textOf(second)}`];
	return [];
};

const asList = (text: string | null): string[] => (text === null || text.startsWith("… (…)") ? [] : [text]);

/** The error of a variable follows its name. */
const asVariable = (text: string | null): string[] => (text === null ? [] : [`… ${text}`]);

const unique = (messages: Message[]): Message[] => [...new Map(messages.map((one) => [one.text, one])).values()];
