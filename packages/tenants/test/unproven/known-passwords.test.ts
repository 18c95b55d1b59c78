import { runWithRequestState } from "@better-auth/core/context";
import { cheapHash } from "test-kit/cheap-hash";
import { describe, expect, it } from "vitest";
import { rememberPasswords } from "../../src/features/unproven/known-passwords.ts";
import { knowledge } from "../../src/features/unproven/request-knowledge.ts";

const password = rememberPasswords(cheapHash as never);

const hashesAfter = async (run: () => Promise<unknown>): Promise<string[]> =>
	await runWithRequestState(new WeakMap(), async () => {
		await run();
		return [...((await knowledge())?.hashes ?? [])];
	});

describe("the password of a request", () => {
	// threat 4
	it("is known if it was hashed, and compared only if it matched", async () => {
		const hash = await cheapHash.hash("hers");
		expect(await hashesAfter(() => password.hash("hers"))).toEqual([hash]);
		expect(await hashesAfter(() => password.verify({ hash, password: "hers" }))).toEqual([hash]);
		expect(await hashesAfter(() => password.verify({ hash, password: "a guess" }))).toEqual([]);
	});

	it("is not known in the next request", async () => {
		await hashesAfter(() => password.hash("hers"));
		expect(await hashesAfter(async () => undefined)).toEqual([]);
		expect(await knowledge()).toBeUndefined();
	});
});
