import { describe, expect, it } from "vitest";
import { composePerformanceDocs, readPerformanceDocs } from "./write-docs.ts";

describe("the page on performance", () => {
	it("is what the recorded runs say, pictures included; `pnpm docs:performance` writes it anew", async () => {
		expect(await readPerformanceDocs()).toEqual(await composePerformanceDocs());
	});
});
