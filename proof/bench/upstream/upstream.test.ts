import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPatch } from "./copy-engine.ts";
import { ENGINE, ENGINE_VERSION, PATCHES, patchedFiles } from "./patches.ts";
import { composeUpstreamPage, readUpstreamPage } from "./upstream-page.ts";

describe("docs/upstream", () => {
	let folder = "";
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "upstream-patches-"));
		for (const file of new Set(PATCHES.flatMap(patchedFiles)))
			cpSync(join(dirname(ENGINE), file), join(folder, file), { dereference: true });
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	it.each(PATCHES)(`%s applies to Better Auth ${ENGINE_VERSION}`, (patch) => {
		applyPatch(folder, patch, { check: true });
		const [changed = ""] = patchedFiles(patch);
		const before = readFileSync(join(folder, changed), "utf8");
		applyPatch(folder, patch);
		expect(readFileSync(join(folder, changed), "utf8")).not.toBe(before);
	});

	it.each([
		["in order", PATCHES],
		["in reverse", PATCHES.toReversed()],
	])("applies all patches together, %s", (_, patches) => {
		for (const patch of patches) applyPatch(folder, patch);
		expect(() => applyPatch(folder, "keep-router", { check: true })).toThrow();
	});

	it("has the figures of the recorded run; `pnpm docs:performance` writes them", async () => {
		expect(await readUpstreamPage()).toBe(await composeUpstreamPage());
	});
});
