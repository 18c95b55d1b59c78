import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { collectCandidates } from "./namespaces/candidates.ts";
import { isByHand, type Source, sourcesOf, standsFor } from "./namespaces/identifier.ts";
import { IDENTIFIERS } from "./namespaces/table.ts";
import { NAMESPACE_DOCS, renderNamespaceDocs } from "./write-namespace-docs.ts";

// every endpoint is called once, and three more engines are filled
// only ends what hangs
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 });

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("the identifiers of one tenant in namespaces that tenants share", () => {
	// threat 80
	it("have one row each, and every row matches an existing identifier", async () => {
		const { found, version } = await collectCandidates();
		const sources = IDENTIFIERS.flatMap((identifier) => sourcesOf(identifier, version)).filter(
			(source) => !isByHand(source),
		);
		const matchers = sources.map((source) => ({ source, matches: standsFor(source) }));
		const withoutRow = found.filter((candidate) => !matchers.some(({ matches }) => matches(candidate)));
		const gone = matchers.filter(({ matches }) => !found.some(matches)).map(({ source }) => source);
		expect({ withoutRow, gone }).toEqual({ withoutRow: [], gone: [] });
	});

	it("appear in one row only", () => {
		const sources = IDENTIFIERS.flatMap(({ sources, since1718 }) => [...sources, ...(since1718?.adds ?? [])]);
		expect(sources.filter((source, at) => sources.indexOf(source) !== at)).toEqual([]);
	});

	it("name existing files and tests", () => {
		const files = IDENTIFIERS.flatMap(({ separatedBy }) => separatedBy.match(/src\/[\w./-]+\.ts/g) ?? []);
		expect(files.filter((file) => !existsSync(new URL(`../../packages/tenants/${file}`, import.meta.url)))).toEqual([]);
		const missing = IDENTIFIERS.filter(({ test: { file, title } }) => title === "" || !read(file).includes(title));
		expect(missing.map(({ name }) => name)).toEqual([]);
	});

	it("match docs/namespaces.md, which `pnpm docs:namespaces` writes", () => {
		expect(readFileSync(NAMESPACE_DOCS, "utf8")).toBe(renderNamespaceDocs());
	});
});

describe("a source", () => {
	it.each<[Source, string, boolean]>([
		["cookie session_token", "cookie session_token", true],
		["cookie session_token", "cookie session_token_multi", false],
		["verification reset-password:<24>", `verification reset-password:${"a".repeat(24)}`, true],
		["verification reset-password:<24>", `verification reset-password:${"a".repeat(25)}`, false],
		// a new prefix does not count as a part of the random value
		["verification <32>", `verification new-${"a".repeat(32)}`, false],
		["unique user(tenantId, email)", "unique user(tenantId, email)", true],
		["unique user(tenantId, email)", "unique user.email", false],
		["storage <32><tag>", `storage ${"a".repeat(32)}~YQ`, true],
		["verification sign-in-otp-<email>", "verification sign-in-otp-ada@example.com", true],
		["verification sign-in-otp-<email>", "verification sign-in-otp-ada", false],
	])("%s matches %s: %s", (source, found, expected) => {
		expect(standsFor(source)(found)).toBe(expected);
	});
});
