import { AsyncLocalStorage } from "node:async_hooks";
import type { AuthContext } from "@better-auth/core";
import { describe, expect, it } from "vitest";
import { createRunningContext } from "../../src/features/handler/running-context.ts";

const contextOf = (baseURL: string): AuthContext => ({ baseURL, options: {} }) as AuthContext;

describe("the context of the running request", () => {
	it("is read, written and awaited where the request runs, by the same object", async () => {
		const { run, standIn } = createRunningContext();
		const contexts = [contextOf("https://a.example"), contextOf("https://b.example")];
		const awaited = await Promise.all(
			contexts.map((context) =>
				run(context, async () => {
					Object.assign(standIn, { mark: context.baseURL });
					await new Promise((resolve) => setTimeout(resolve, 1));
					return { context: await standIn, copy: { ...standIn }, keys: Object.keys(standIn), has: "mark" in standIn };
				}),
			),
		);
		for (const [at, { context, copy, keys, has }] of awaited.entries()) {
			expect(context).toBe(contexts[at]);
			expect(copy).toEqual({ ...contexts[at], mark: contexts[at]?.baseURL });
			expect([keys, has]).toEqual([["baseURL", "options", "mark"], true]);
		}
	});

	// threat 94
	it("is nobody's outside of a request", async () => {
		const outside = AsyncLocalStorage.snapshot();
		const { run, standIn } = createRunningContext();
		const read = () => standIn.baseURL;
		expect(run(contextOf("https://a.example"), read)).toBe("https://a.example");
		for (const lost of [read, () => run(contextOf("https://a.example"), () => outside(read))])
			expect(lost).toThrow("lost its async context");
	});
});
