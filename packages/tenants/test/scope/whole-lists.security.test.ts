import { runWithRequestState } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import { beforeAll, describe, expect, it } from "vitest";
import { requestStateReady } from "../../src/engine/request-state.ts";
import { readSessionTokens } from "../../src/scope/sessions/stored-sessions.ts";
import { keepListsWhole, mergeChanges } from "../../src/scope/sessions/whole-lists.ts";

const LIST = "active-sessions-ada";
const HOUR = 3_600;

beforeAll(() => requestStateReady);

const entry = (token: string, hours = 1) => ({ token, expiresAt: Date.now() + hours * HOUR * 1_000 });
const listOf = (...tokens: string[]) => tokens.map((token) => entry(token));
const inRequest = (run: () => Promise<unknown>): Promise<unknown> => runWithRequestState(new WeakMap(), run);

/** A storage in memory that answers a moment later, as a server does. */
const createStorage = () => {
	const kept = new Map<string, string>();
	const ttls = new Map<string, number | undefined>();
	const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
	const storage: SecondaryStorage = {
		get: async (key) => {
			await moment();
			return kept.get(key) ?? null;
		},
		getAndDelete: async () => null,
		set: async (key, value, ttl) => {
			await moment();
			kept.set(key, value);
			ttls.set(key, ttl);
		},
		delete: async (key) => {
			await moment();
			kept.delete(key);
		},
		increment: async (key) => {
			await moment();
			const next = Number(kept.get(key) ?? 0) + 1;
			kept.set(key, String(next));
			return next;
		},
	};
	const pin = { current: () => tenant };
	let tenant = "acme";
	const enter = (other: string): void => {
		tenant = other;
	};
	return { kept, ttls, enter, whole: keepListsWhole(storage, pin), tokens: () => readSessionTokens(kept.get(LIST)) };
};

describe("a list of sessions", () => {
	it("has the entries of all who write at the same time, and leaves no lock", async () => {
		const { kept, whole, tokens } = createStorage();
		await Promise.all(
			Array.from({ length: 20 }, (_, number) =>
				inRequest(async () => {
					const list = JSON.parse(String((await whole.get(LIST)) ?? "[]"));
					await whole.set(LIST, JSON.stringify([...list, entry(`s${number}`)]), HOUR);
				}),
			),
		);
		expect(tokens().sort()).toEqual(Array.from({ length: 20 }, (_, number) => `s${number}`).sort());
		expect([...kept.keys()]).toEqual([LIST]);
	});

	it("lacks what another request ended meanwhile: a session that is renewed stays ended", async () => {
		const { kept, whole, tokens } = createStorage();
		kept.set(LIST, JSON.stringify(listOf("ended", "kept")));
		await inRequest(async () => {
			await whole.get(LIST);
			await inRequest(async () => {
				await runWithRequestState(new WeakMap(), async () => {
					await whole.get(LIST);
					await whole.set(LIST, JSON.stringify(listOf("kept")), HOUR);
				});
			});
			await whole.set(LIST, JSON.stringify([entry("kept"), entry("ended", 2)]), HOUR);
		});
		expect(tokens()).toEqual(["kept"]);
	});

	it("keeps what came meanwhile when everything that was read ends, and goes when nothing came", async () => {
		const { kept, whole, tokens } = createStorage();
		kept.set(LIST, JSON.stringify(listOf("old")));
		await inRequest(async () => {
			await whole.get(LIST);
			kept.set(LIST, JSON.stringify(listOf("old", "new")));
			await whole.delete(LIST);
			expect(tokens()).toEqual(["new"]);
			await whole.get(LIST);
			await whole.delete(LIST);
		});
		expect([...kept.keys()]).toEqual([]);
	});

	it("is written as it is by whoever has not read it", async () => {
		const { kept, whole, tokens } = createStorage();
		kept.set(LIST, JSON.stringify(listOf("old")));
		await whole.get(LIST);
		await whole.set(LIST, JSON.stringify(listOf("mine")), HOUR);
		expect(tokens()).toEqual(["mine"]);
		await inRequest(async () => whole.set(LIST, JSON.stringify(listOf("others")), HOUR));
		expect(tokens()).toEqual(["others"]);
		await whole.delete(LIST);
		expect([...kept.keys()]).toEqual([]);
	});

	it("is compared with what the request has read in the same tenant", async () => {
		const { kept, enter, whole, tokens } = createStorage();
		kept.set(LIST, JSON.stringify(listOf("old")));
		await inRequest(async () => {
			await whole.get(LIST);
			enter("globex");
			await whole.set(LIST, JSON.stringify(listOf("mine")), HOUR);
		});
		expect(tokens()).toEqual(["mine"]);
	});

	it("lasts as long as the last of its sessions", async () => {
		const { kept, ttls, whole } = createStorage();
		await inRequest(async () => {
			await whole.get(LIST);
			kept.set(LIST, JSON.stringify([entry("long", 5)]));
			await whole.set(LIST, JSON.stringify([entry("short", 1)]), HOUR);
		});
		expect(ttls.get(LIST)).toBe(5 * HOUR);
	});

	it("is written after a lock that nobody releases", async () => {
		const { kept, whole, tokens } = createStorage();
		kept.set(`limit.lock:${LIST}`, "7");
		await inRequest(async () => {
			await whole.get(LIST);
			await whole.set(LIST, JSON.stringify(listOf("late")), HOUR);
		});
		expect(tokens()).toEqual(["late"]);
		expect(kept.has(`limit.lock:${LIST}`)).toBe(false);
	});

	it("leaves other values as they are", async () => {
		const { kept, whole } = createStorage();
		await whole.set("other", "[]");
		expect([await whole.get("other"), kept.get("other")]).toEqual(["[]", "[]"]);
		await whole.delete("other");
		expect([...kept.keys()]).toEqual([]);
	});
});

it("applies what one request changed to what others have made of a list, in the order in which entries expire", () => {
	const [a, b, c, d] = [entry("a", 1), entry("b", 2), entry("c", 3), entry("d", 4)];
	const merged = (known: object[], wanted: object[], stored: object[]) =>
		mergeChanges({ known, wanted, stored } as never).map(({ token }) => token);
	expect(merged([a, b], [a, b, d], [a, b, c])).toEqual(["a", "b", "c", "d"]);
	expect(merged([a, b], [b], [a, b, c])).toEqual(["b", "c"]);
	expect(merged([a, b], [a, b, d], [b])).toEqual(["b", "d"]);
	expect(merged([], [a], [a])).toEqual(["a"]);
});

it("keeps the renewal of another request, and renews what this one renewed", () => {
	const [old, renewed, other] = [entry("a", 1), entry("a", 5), entry("b", 2)];
	const merged = (wanted: object[], stored: object[]) =>
		mergeChanges({ known: [old], wanted, stored } as never).find(({ token }) => token === "a")?.expiresAt;
	expect(merged([old, other], [renewed])).toBe(renewed.expiresAt);
	expect(merged([renewed], [old])).toBe(renewed.expiresAt);
});
