import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** A check or a throw that stands alone as a statement, so that it can be removed. */
export type Statement = {
	/** stays the same while the statement does, wherever it moves in its file */
	id: string;
	kind: "check" | "throw";
	/** below src/ */
	file: string;
	line: number;
	start: number;
	end: number;
	text: string;
	/** 1 for the first of equal statements of a file */
	nth: number;
};

export const SOURCE = fileURLToPath(new URL("../../../packages/tenants/src/", import.meta.url));

/** The verbs of functions that reject a request, a row or an option. */
const CHECK = /^(assert|admit|charge|check|ensure|forbid|guard|hold|limit|obey|refuse|require|verify)(?=[A-Z]|$)/;

/** All statements of the package that can be removed, in the order of files and lines. */
export const findStatements = (): Statement[] =>
	readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts"))
		.sort()
		.flatMap((file) => statementsIn(file, readFileSync(join(SOURCE, file), "utf8")));

export const statementsIn = (file: string, source: string): Statement[] => {
	const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
	const found: Statement[] = [];
	const times = new Map<string, number>();
	const visit = (node: ts.Node): void => {
		const kind = kindOf(node);
		if (kind) {
			const start = node.getStart();
			const text = node.getText().replace(/\s+/g, " ");
			const nth = (times.get(text) ?? 0) + 1;
			times.set(text, nth);
			const line = tree.getLineAndCharacterOfPosition(start).line + 1;
			found.push({ id: idOf(file, text, nth), kind, file, line, start, end: node.end, text, nth });
		}
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
};

const kindOf = (node: ts.Node): Statement["kind"] | null => {
	if (ts.isThrowStatement(node)) return "throw";
	if (!ts.isExpressionStatement(node)) return null;
	const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
	return ts.isCallExpression(call) && CHECK.test(nameOf(call.expression)) ? "check" : null;
};

const nameOf = (callee: ts.Expression): string => {
	if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
	return ts.isIdentifier(callee) ? callee.text : "";
};

const idOf = (file: string, text: string, nth: number): string =>
	createHash("sha256")
		.update(`${file}\n${text}\n${nth - 1}`)
		.digest("hex")
		.slice(0, 10);
