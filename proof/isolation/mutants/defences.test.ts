import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DEFENCES } from "./defences.ts";

it("lists defences that stand in the sources, each once, so that none is forgotten by a refactoring", () => {
	const lost = DEFENCES.filter(({ file, find }) => {
		const text = readFileSync(new URL(`../../../packages/tenants/src/${file}`, import.meta.url), "utf8");
		const count =
			typeof find === "string" ? text.split(find).length - 1 : [...text.matchAll(new RegExp(find, "g"))].length;
		return count !== 1;
	});
	expect(lost.map(({ id }) => id)).toEqual([]);
});
