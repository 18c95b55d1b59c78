import { describe, expect, it } from "vitest";
import { ada, createLimited, knock, newAddress, signIn, statuses } from "./limited-world.ts";

/** Counts as another server would, for as many processes as share it. */
const createCounter = () => {
	const counts = new Map<string, number>();
	const state = { fails: false, hangs: false, asked: 0 };
	const increment = async (key: string): Promise<number> => {
		state.asked += 1;
		if (state.fails) throw new Error("the counter does not respond");
		if (state.hangs) return new Promise(() => {});
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		return count;
	};
	return { counts, state, increment };
};

const createCounted = async (more: Parameters<typeof createLimited>[0] = {}) => {
	const counter = createCounter();
	const limits = { counters: { increment: counter.increment, timeout: 5 }, ...more };
	return { counter, ...(await createLimited(limits)) };
};

// threat 63
describe("limits.counters", () => {
	it("counts what other processes counted, of each tenant by itself", async () => {
		const { world, a, b, counter } = await createCounted({ perTenant: { window: 600, max: 3 } });
		const send = (tenant: string) => () => knock(world, "/get-session", { tenant });
		expect(await statuses(1, send(a))).toEqual([200]);
		// the other processes
		for (const [key, count] of counter.counts) if (key.includes(`tenant:${a}`)) counter.counts.set(key, count + 2);
		expect(await statuses(1, send(a))).toEqual([429]);
		expect(await statuses(3, send(b))).toEqual([200, 200, 200]);
	});

	it.each(["fails", "hangs"] as const)("goes on from what this process counted while the counter %s", async (how) => {
		const { world, a, counter } = await createCounted({
			perTenant: { window: 600, max: 4 },
			counters: { increment: async (key) => counter.increment(key), timeout: 0.05 },
		});
		const send = () => knock(world, "/get-session", { tenant: a });
		expect(await statuses(3, send)).toEqual([200, 200, 200]);
		counter.state[how] = true;
		expect(await statuses(2, send)).toEqual([200, 429]);
		counter.state[how] = false;
		expect(await statuses(1, send)).toEqual([429]);
	});

	it("bounds guesses at a user", async () => {
		const { world, a, b, counter } = await createCounted({ perUser: { window: 600, max: 3 } });
		expect(await statuses(4, () => signIn(world, a, ada))).toEqual([401, 401, 401, 429]);
		expect(await statuses(1, () => signIn(world, b, ada))).toEqual([401]);
		expect([...counter.counts.keys()].filter((key) => key.includes(ada))).toEqual([]);
	});

	it("counts for the engine's own limits, which one process would count alone", async () => {
		const { world, a, counter } = await createCounted({ perUser: false });
		const address = newAddress();
		const send = () =>
			world.call("/sign-in/email", {
				tenant: a,
				headers: { "x-forwarded-for": address },
				body: { email: ada, password: "wrong horse battery" },
			});
		expect(await statuses(1, send)).toEqual([401]);
		for (const [key, count] of counter.counts) if (key.includes(address)) counter.counts.set(key, count + 10);
		expect(await statuses(1, send)).toEqual([429]);
	});
});
