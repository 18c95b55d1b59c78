import { expect, it } from "vitest";
import { composeScaleDocs, readScaleDocs } from "./scale-docs.ts";
import { matches, readTranscript } from "./transcript-text.ts";
import { composeServiceDocs, readServiceDocs } from "./write-docs.ts";

it("matches the recorded runs in docs/service.md and docs/scale.md", async () => {
	expect(await readServiceDocs()).toBe(await composeServiceDocs());
	expect(await readScaleDocs()).toBe(await composeScaleDocs());
});

it("reads a transcript: commands, continued lines, and their output", () => {
	const readme = "text\n\n<!-- first-run -->\n```console\n$ one \\\n    two\nanswer\nmore\n$ three\n```\n";
	expect(readTranscript(readme)).toEqual([
		{ command: "one \\\n    two", expected: "answer\nmore" },
		{ command: "three", expected: "" },
	]);
});

it("compares output exactly, except for ellipses", () => {
	expect(matches("id  …\nslug acme", "id  xyz\nslug acme\n")).toBe(true);
	expect(matches("id  …\nslug acme", "id  xyz\nslug umbrella")).toBe(false);
	expect(matches("a.c", "abc")).toBe(false);
	expect(matches("", "Error: nobody expected this")).toBe(false);
});
