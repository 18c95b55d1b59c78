import { describe, expect, it } from "vitest";
import { composeIsolationDocs, readIsolationDocs } from "./write-docs.ts";

describe("the page on isolation", () => {
	it("matches the recorded runs; `pnpm docs:isolation` writes it", async () => {
		expect(await readIsolationDocs()).toBe(await composeIsolationDocs());
	});
});
