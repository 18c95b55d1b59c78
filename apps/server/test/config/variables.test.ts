import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { variableTable, withVariableTable } from "../../scripts/write-variables.ts";
import { VARIABLES } from "../../src/config/config.ts";

it("has an up-to-date table of all variables in the README, written by `node scripts/write-variables.ts`", () => {
	const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
	expect(withVariableTable(readme)).toBe(readme);
});

it("describes every variable, with its default", () => {
	const table = variableTable();
	for (const [name, variable] of Object.entries(VARIABLES)) {
		expect(variable.meta()?.description).toMatch(/^.{10,}/);
		expect(table).toContain(`| \`${name}\``);
	}
	expect(table).toContain("| `AUTH_URL` | required |");
	expect(table).toContain("| `PORT` | `3000` |");
	expect(table).toContain("| `DATABASE_URL` * | required |");
});
