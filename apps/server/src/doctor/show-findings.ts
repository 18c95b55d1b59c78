import { plainText } from "../command-line/plain-text.ts";
import type { Finding } from "./finding.ts";

const MARKS = { ok: "✓", warning: "!", wrong: "✗" } as const;
const COLOURS = { ok: 32, warning: 33, wrong: 31 } as const;

/** Findings for people: a line each, its mend below it, and how many there are of what. */
export const showFindings = (findings: readonly Finding[], { colours }: { colours: boolean }): string => {
	const width = Math.max(...findings.map(({ name }) => name.length));
	const lines = findings.flatMap(({ name, status, says, mend }, at) => [
		`${paint(MARKS[status], COLOURS[status], colours)} ${name.padEnd(width)}  ${plainText(says)}`,
		// once for several that are mended in one go
		...(mend === undefined || mend === findings[at + 1]?.mend
			? []
			: [`${" ".repeat(width + 4)}${paint(plainText(mend), 2, colours)}`]),
	]);
	return [...lines, "", count(findings)].join("\n");
};

const count = (findings: readonly Finding[]): string => {
	const of = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
	const [wrong, warnings] = [of("wrong"), of("warning")];
	if (wrong + warnings === 0) return "All is well.";
	return `${wrong} wrong, ${warnings} ${warnings === 1 ? "warning" : "warnings"}, ${of("ok")} fine.`;
};

const paint = (text: string, colour: number, colours: boolean): string =>
	colours ? `\u001b[${colour}m${text}\u001b[0m` : text;
