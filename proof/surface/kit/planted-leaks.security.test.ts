import { findTenantLeaks } from "better-auth-tenants/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createGuide } from "./b2b-guide.ts";
import { PLANTED_LEAKS } from "./planted-leaks.ts";

// each sends hundreds of calls
vi.setConfig({ testTimeout: 300_000 });

/** Attacks the application's own paths, and those that its mistake shows at. */
const attack = async (leak?: (typeof PLANTED_LEAKS)[number]) => {
	const paths: string[] = [];
	const { auth, close } = await createGuide({
		secondFactor: true,
		plugins: (query) => {
			const plugin = leak?.plant(query);
			paths.push(...Object.values(plugin?.endpoints ?? {}).flatMap(({ path }) => path ?? []));
			return plugin ? [plugin] : [];
		},
	});
	onTestFinished(close);
	const beside = leak ? (leak.also ?? []) : PLANTED_LEAKS.flatMap(({ also = [] }) => also);
	return findTenantLeaks(auth, { only: [...paths, ...beside], log: false });
};

// threat 65
describe("the guide's configuration with an application that", () => {
	it.each(PLANTED_LEAKS)("$mistake is caught", async (leak) => {
		const { leaks, reached } = await attack(leak);
		expect(reached).toContain(leak.endpoint);
		expect(leaks.map(({ endpoint, what }) => `${endpoint} ${what}`)).toContainEqual(
			expect.stringMatching(new RegExp(`^${leak.endpoint} .*(${leak.found.source})`)),
		);
	});

	it("makes no mistake passes", async () => {
		const { leaks, reached } = await attack();
		expect(leaks).toEqual([]);
		expect(reached).toEqual(expect.arrayContaining(["POST /update-user", "POST /tenant/invitation/create"]));
	});
});
