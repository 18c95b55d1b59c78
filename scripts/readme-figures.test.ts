import { expect, it } from "vitest";
import { readReadme, withFigures } from "./readme-figures.ts";

it("shows the figures of the recorded runs in README.md", () => {
	expect(readReadme()).toBe(withFigures(readReadme()));
});
