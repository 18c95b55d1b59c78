import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTurns, type EndTurn } from "../../src/lib/turns.ts";

afterEach(() => {
	vi.restoreAllMocks();
	vi.useRealTimers();
});

/** Turns of requests with names, and which of them have begun. */
const watchTurns = (atOnce: number) => {
	vi.useFakeTimers();
	const turns = createTurns(atOnce);
	const begun: string[] = [];
	const ends = new Map<string, EndTurn>();
	return {
		take: (line: string, name: string): void => {
			const begin = (end: EndTurn): void => {
				begun.push(name);
				ends.set(name, end);
			};
			const turn = turns.take(line);
			if (turn instanceof Promise) void turn.then(begin);
			else begin(turn);
		},
		end: (name: string): void => ends.get(name)?.(),
		/** The requests that have begun before any timer. */
		begunAtOnce: async (): Promise<string[]> => {
			for (let step = 0; step < 10; step += 1) await Promise.resolve();
			return begun;
		},
		/** The requests that have begun after so many milliseconds. */
		begunAfter: async (ms: number): Promise<string[]> => {
			await vi.advanceTimersByTimeAsync(ms);
			return begun;
		},
	};
};

// threat 63
describe("turns", () => {
	it("begin at once while there is room, and then in the order of their requests", async () => {
		const { take, end, begunAfter } = watchTurns(2);
		for (const name of ["first", "second", "third", "fourth"]) take("acme", name);
		expect(await begunAfter(1)).toEqual(["first", "second"]);
		end("second");
		expect(await begunAfter(1)).toEqual(["first", "second", "third"]);
		end("first");
		expect(await begunAfter(1)).toEqual(["first", "second", "third", "fourth"]);
	});

	it("of one line do not wait for those of another", async () => {
		const { take, begunAfter } = watchTurns(1);
		take("acme", "loud");
		take("acme", "louder");
		take("globex", "quiet");
		expect(await begunAfter(1)).toEqual(["loud", "quiet"]);
	});

	it("pass to a request that waits, so that none comes between", async () => {
		const { take, end, begunAfter } = watchTurns(1);
		take("acme", "first");
		take("acme", "waiting");
		end("first");
		take("acme", "late comer");
		expect(await begunAfter(1)).toEqual(["first", "waiting"]);
	});

	it("pass in a later turn of the event loop, so that a line does not run as one block", async () => {
		const { take, end, begunAfter, begunAtOnce } = watchTurns(1);
		take("acme", "first");
		take("acme", "second");
		end("first");
		expect(await begunAtOnce()).toEqual(["first"]);
		expect(await begunAfter(1)).toEqual(["first", "second"]);
	});

	it("end once, however often they are ended", async () => {
		const { take, end, begunAfter } = watchTurns(1);
		for (const name of ["first", "second", "third"]) take("acme", name);
		end("first");
		end("first");
		expect(await begunAfter(1)).toEqual(["first", "second"]);
	});

	it("end after 50 ms if somebody waits, so that slow requests hold nobody up", async () => {
		const { take, end, begunAfter } = watchTurns(2);
		for (const name of ["hanging", "hanging too"]) take("acme", name);
		await begunAfter(30);
		for (const name of ["third", "fourth", "fifth"]) take("acme", name);
		expect(await begunAfter(19)).toEqual(["hanging", "hanging too"]);
		// and one more to pass them on
		expect(await begunAfter(2)).toEqual(["hanging", "hanging too", "third", "fourth"]);
		// does not end the turn that took its place
		end("hanging");
		expect(await begunAfter(47)).toHaveLength(4);
		expect(await begunAfter(4)).toHaveLength(5);
	});

	it("end in time, although somebody sets the clock", async () => {
		const { take, begunAfter } = watchTurns(1);
		take("acme", "hanging");
		vi.setSystemTime(Date.now() - 3_600_000);
		take("acme", "second");
		expect(await begunAfter(51)).toEqual(["hanging", "second"]);
	});

	it("pass on, although timers end with the request that set them, as in workerd", async () => {
		const { take, end, begunAfter } = watchTurns(1);
		const request = new AsyncLocalStorage<string>();
		const ended = new Set<string | undefined>();
		const setTimer = globalThis.setTimeout;
		const ownedBy = (owner: string | undefined, run: () => void) => (): void => {
			if (!ended.has(owner)) run();
		};
		vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) =>
			setTimer(ownedBy(request.getStore(), run), ms)) as typeof setTimeout);
		for (const name of ["first", "second", "third"]) request.run(name, () => take("acme", name));
		for (const name of ["first", "second"]) {
			request.run(name, () => end(name));
			ended.add(name);
			await begunAfter(1);
		}
		expect(await begunAfter(0)).toEqual(["first", "second", "third"]);
	});

	it("leave nothing behind", async () => {
		const { take, end, begunAfter } = watchTurns(1);
		for (const name of ["first", "second"]) take("acme", name);
		end("first");
		await begunAfter(1);
		end("second");
		await begunAfter(50);
		expect(vi.getTimerCount()).toBe(0);
		take("acme", "third");
		expect(await begunAfter(1)).toEqual(["first", "second", "third"]);
	});
});
