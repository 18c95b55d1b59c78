import { createAuthMiddleware, optionsMiddleware } from "@better-auth/core/api";
import { changePassword, originCheckMiddleware, sensitiveSessionMiddleware, signOut } from "better-auth/api";
import { createEndpoint } from "better-call";
import { describe, expect, it } from "vitest";
import { leanRouter } from "../../src/engine/lean-router.ts";

type Callable = (input: never) => Promise<unknown>;

const usedBy = (created: object): unknown[] => (created as { options: { use?: unknown[] } }).options.use ?? [];

describe("a lean router", () => {
	it("leaves out only middleware that does nothing", async () => {
		const removed = usedBy(createAuthMiddleware(async () => {}));
		expect(removed).toHaveLength(2);
		expect(removed[0]).toBe(optionsMiddleware);
		for (const middleware of removed) expect(await (middleware as Callable)({} as never)).toEqual({});
	});

	it("keeps what endpoints and their middleware do, in its order", async () => {
		const calls: string[] = [];
		const note = (name: string) => async () => {
			calls.push(name);
		};
		const outer = createAuthMiddleware({ use: [createAuthMiddleware(note("inner"))] }, note("outer"));
		const last = createAuthMiddleware(note("last"));
		const endpoint = createEndpoint("/x", { method: "GET", use: [outer, optionsMiddleware, last] }, async () =>
			calls.push("endpoint"),
		);
		await endpoint();
		const before = calls.splice(0);
		leanRouter([endpoint]);
		expect(usedBy(endpoint)).toHaveLength(2);
		expect(usedBy(outer)).toHaveLength(1);
		await endpoint();
		expect(before).toEqual(["inner", "outer", "last", "endpoint"]);
		expect(calls).toEqual(before);
	});

	it("leaves no middleware around Better Auth's own endpoints but what checks something", () => {
		leanRouter([signOut, changePassword]);
		expect([originCheckMiddleware, sensitiveSessionMiddleware, signOut].map(usedBy)).toEqual([[], [], []]);
		expect(usedBy(changePassword)).toEqual([sensitiveSessionMiddleware]);
	});
});
