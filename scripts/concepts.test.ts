import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { conceptPictures } from "./draw-concepts.ts";

const ROOT = join(import.meta.dirname, "..");

describe("the pictures of docs/concepts", () => {
	it.each(conceptPictures())("$file is what `pnpm docs:concepts` draws", ({ file, text }) => {
		expect(readFileSync(file, "utf8")).toBe(text);
	});

	it.each(conceptPictures())("the page $name shows $file", ({ name, file }) => {
		expect(readFileSync(join(ROOT, `docs/concepts/${name}.md`), "utf8")).toContain(`../pictures/${basename(file)}`);
	});
});
