import { findTenantLeaks } from "better-auth-tenants/testing";
import { passTime } from "test-kit/pass-time";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createGuide } from "./b2b-guide.ts";
import { PLANTED_LEAKS } from "./planted-leaks.ts";

// each sends hundreds of calls
vi.setConfig({ testTimeout: 300_000 });

type Guide = Awaited<ReturnType<typeof createGuide>>["auth"];

/** Attacks the application's own paths, and those that its mistake shows at. */
const attack = async (leak?: (typeof PLANTED_LEAKS)[number], slowDown: (auth: Guide) => Guide = (auth) => auth) => {
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
	return findTenantLeaks(slowDown(auth), { only: [...paths, ...beside], log: false });
};

/** Lets ten seconds pass with each request, longer than the caches of tenants and policies last. */
const slowly = (auth: Guide): Guide => ({
	...auth,
	handler: (request) => {
		passTime(10_000);
		return auth.handler(request);
	},
});

type Report = Awaited<ReturnType<typeof attack>>;

const expectCaught = ({ leaks, reached }: Report, { endpoint, found }: (typeof PLANTED_LEAKS)[number]): void => {
	expect(reached).toContain(endpoint);
	expect(leaks.map((leak) => `${leak.endpoint} ${leak.what}`)).toContainEqual(
		expect.stringMatching(new RegExp(`^${endpoint} .*(${found.source})`)),
	);
};

// threat 65
describe("the guide's configuration with an application that", () => {
	it.each(PLANTED_LEAKS)("$mistake is caught", async (leak) => {
		expectCaught(await attack(leak), leak);
	});

	it.each(PLANTED_LEAKS)("$mistake is caught, also on a machine on which every request takes long", async (leak) => {
		const report = await attack(leak, slowly);
		expectCaught(report, leak);
		expect(report.notJudged).toEqual([]);
	});

	it("makes no mistake passes", async () => {
		const { leaks, reached, notJudged } = await attack();
		expect([leaks, notJudged]).toEqual([[], []]);
		expect(reached).toEqual(expect.arrayContaining(["POST /update-user", "POST /tenant/invitation/create"]));
	});
});
