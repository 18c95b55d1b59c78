import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const EXAMPLES = join(import.meta.dirname, "../examples");

it("gives every example the same stylesheet, which each has as a copy so that it stands alone", () => {
	const files = globSync("*/{public,src}/**/{styles,app}.css", { cwd: EXAMPLES });
	const sheets = new Set(files.map((file) => readFileSync(join(EXAMPLES, file), "utf8")));
	expect(files.length).toBeGreaterThanOrEqual(5);
	expect(sheets.size).toBe(1);
});
