import { describe, expect, it } from "vitest";
import { composePerformanceDocs, readPerformanceDocs } from "./write-docs.ts";

describe("the page on performance", () => {
	it("matches the recorded runs, including pictures; `pnpm docs:performance` writes it", async () => {
		expect(await readPerformanceDocs()).toEqual(await composePerformanceDocs());
	});
});
