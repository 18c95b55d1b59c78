import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DEFENSES } from "./defenses.ts";

it("finds each defense exactly once in the sources, so that no refactoring drops one", () => {
	const lost = DEFENSES.filter(({ file, find }) => {
		const text = readFileSync(new URL(`../../../packages/tenants/src/${file}`, import.meta.url), "utf8");
		const count =
			typeof find === "string" ? text.split(find).length - 1 : [...text.matchAll(new RegExp(find, "g"))].length;
		return count !== 1;
	});
	expect(lost.map(({ id }) => id)).toEqual([]);
});
