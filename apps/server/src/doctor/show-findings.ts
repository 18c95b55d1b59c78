import { plainText } from "../lib/plain-text.ts";
import type { Finding } from "./finding.ts";

const MARKS = { ok: "✓", warning: "!", wrong: "✗" } as const;
const COLORS = { ok: 32, warning: 33, wrong: 31 } as const;

/** Formats findings as text: one line each, how to fix it below, and a summary. */
export const showFindings = (findings: readonly Finding[], { colors }: { colors: boolean }): string => {
	const width = Math.max(...findings.map(({ name }) => name.length));
	const lines = findings.flatMap(({ name, status, says, fix }, at) => [
		`${paint(MARKS[status], COLORS[status], colors)} ${name.padEnd(width)}  ${plainText(says)}`,
		// consecutive findings with the same fix show it once
		...(fix === undefined || fix === findings[at + 1]?.fix
			? []
			: [`${" ".repeat(width + 4)}${paint(plainText(fix), 2, colors)}`]),
	]);
	return [...lines, "", count(findings)].join("\n");
};

const count = (findings: readonly Finding[]): string => {
	const of = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
	const [wrong, warnings] = [of("wrong"), of("warning")];
	if (wrong + warnings === 0) return "No problems found.";
	return `${wrong} wrong, ${warnings} ${warnings === 1 ? "warning" : "warnings"}, ${of("ok")} fine.`;
};

const paint = (text: string, color: number, colors: boolean): string =>
	colors ? `\u001b[${color}m${text}\u001b[0m` : text;
