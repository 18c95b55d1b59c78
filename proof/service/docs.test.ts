import { expect, it } from "vitest";
import { composeScaleDocs, readScaleDocs } from "./scale-docs.ts";
import { matches, readTranscript } from "./transcript-text.ts";
import { composeServiceDocs, readServiceDocs } from "./write-docs.ts";

it("has in docs/service.md and docs/scale.md what the recorded runs saw", async () => {
	expect(await readServiceDocs()).toBe(await composeServiceDocs());
	expect(await readScaleDocs()).toBe(await composeScaleDocs());
});

it("reads a transcript: commands, continued ones, and their answers", () => {
	const readme = "text\n\n<!-- first-run -->\n```console\n$ one \\\n    two\nanswer\nmore\n$ three\n```\n";
	expect(readTranscript(readme)).toEqual([
		{ command: "one \\\n    two", expected: "answer\nmore" },
		{ command: "three", expected: "" },
	]);
});

it("compares answers to the letter, but for what an ellipsis stands for", () => {
	expect(matches("id  …\nslug acme", "id  xyz\nslug acme\n")).toBe(true);
	expect(matches("id  …\nslug acme", "id  xyz\nslug umbrella")).toBe(false);
	expect(matches("a.c", "abc")).toBe(false);
	expect(matches("", "Error: nobody expected this")).toBe(false);
});
