import { expect, it } from "vitest";
import { composeSiteDocs, readSiteDocs } from "./write-docs.ts";

it("matches the recorded runs in docs/site.md", async () => {
	expect(await readSiteDocs()).toBe(await composeSiteDocs());
});
