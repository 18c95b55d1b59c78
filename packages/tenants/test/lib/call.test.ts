import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { defineCallPart } from "../../src/lib/call.ts";

describe("a part of a call", () => {
	it("has its value in what the call starts, and none outside", async () => {
		const part = defineCallPart<string>();
		const later = part.run("a", async () => {
			await setImmediate();
			return part.now();
		});
		expect(part.now()).toBeUndefined();
		expect(await later).toBe("a");
	});

	it("is of the innermost call, and of the outer one again after it", () => {
		const part = defineCallPart<string>();
		const seen = part.run("a", () => [part.run("b", part.now), part.now(), part.exit(part.now), part.now()]);
		expect(seen).toEqual(["b", "a", undefined, "a"]);
	});

	it("keeps the other parts", () => {
		const [one, other] = [defineCallPart<string>(), defineCallPart<string>()];
		const seen = one.run("a", () => other.run("b", () => [one.now(), other.now(), one.exit(() => other.now())]));
		expect(seen).toEqual(["a", "b", "b"]);
	});

	it("is apart in calls that run at the same time", async () => {
		const part = defineCallPart<number>();
		const run = (value: number) =>
			part.run(value, async () => {
				for (let turn = 0; turn < value; turn += 1) await setImmediate();
				return part.now();
			});
		expect(await Promise.all([run(3), run(1), run(2)])).toEqual([3, 1, 2]);
	});
});
