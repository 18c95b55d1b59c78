import { describe, expect, it } from "vitest";
import { composeIsolationDocs, readIsolationDocs } from "./write-docs.ts";

describe("the page on isolation", () => {
	it("is what the recorded runs say; `pnpm docs:isolation` writes it anew", async () => {
		expect(await readIsolationDocs()).toBe(await composeIsolationDocs());
	});
});
