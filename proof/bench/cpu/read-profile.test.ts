import type { Profiler } from "node:inspector";
import { describe, expect, it } from "vitest";
import { ownerOf } from "./owner.ts";
import { readProfile } from "./read-profile.ts";

const PNPM = "file:///app/node_modules/.pnpm";

describe("the owner of a file", () => {
	it.each([
		[`${PNPM}/better-auth@1.7.7_zod@4/node_modules/better-auth/dist/api/index.mjs`, "Better Auth"],
		[`${PNPM}/x@1/node_modules/@better-auth/core/dist/index.mjs`, "Better Auth"],
		[`${PNPM}/better-call@1/node_modules/better-call/dist/router.mjs`, "better-call"],
		[`${PNPM}/zod@4/node_modules/zod/v4/core/parse.js`, "zod"],
		[`${PNPM}/rou3@1/node_modules/rou3/dist/index.mjs`, "rou3"],
		[`${PNPM}/kysely@1/node_modules/kysely/dist/index.js`, "kysely"],
		[`${PNPM}/pg@8/node_modules/pg/lib/client.js`, "driver"],
		[`${PNPM}/pg@8/node_modules/pg-protocol/dist/parser.js`, "driver"],
		[`${PNPM}/ioredis@5/node_modules/ioredis/built/Redis.js`, "driver"],
		[`${PNPM}/x@1/node_modules/@noble/hashes/hmac.js`, "@noble/hashes"],
		["node:internal/process/task_queues", "Node"],
		["file:///app/packages/tenants/src/scope/data/database.ts", "src/scope/data"],
		["file:///app/packages/tenants/src/features/oauth/seal.ts", "src/features/oauth"],
		["file:///app/packages/tenants/src/plugin/plugin.ts", "src/plugin"],
		["file:///app/packages/tenants/src/index.ts", "src"],
		["file:///app/proof/bench/stage/engine.ts", "bench"],
	])("%s is %s", (url, owner) => {
		expect(ownerOf(url)).toBe(owner);
	});
});

const nodeOf = (id: number, functionName: string, url: string, children: number[] = []): Profiler.ProfileNode => ({
	id,
	callFrame: { functionName, url, scriptId: "0", lineNumber: 9, columnNumber: 0 },
	children,
});

describe("reading a profile", () => {
	const profile: Profiler.Profile = {
		startTime: 0,
		endTime: 1_000,
		nodes: [
			nodeOf(1, "(root)", "", [2, 4, 5, 6, 7]),
			nodeOf(2, "handle", "file:///app/packages/tenants/src/scope/scope.ts", [3]),
			nodeOf(3, "stringify", ""),
			nodeOf(4, "(garbage collector)", ""),
			nodeOf(5, "(idle)", ""),
			nodeOf(6, "(program)", ""),
			nodeOf(7, "post", "node:inspector", [8]),
			nodeOf(8, "dispatch", ""),
		],
		samples: [2, 3, 4, 5, 6, 2, 8],
		timeDeltas: [100, 200, 300, 5_000, 300, 100, 700],
	};

	it("gives native functions to their callers, and leaves idle time and the profiler out", () => {
		expect(readProfile(profile).owners).toEqual({
			"src/scope": 0.4,
			"garbage collection": 0.3,
			"native code": 0.3,
		});
	});

	it("names functions with file and line", () => {
		expect(readProfile(profile).functions).toMatchObject({ "src/scope/scope.ts:10 handle": 0.4 });
	});
});
