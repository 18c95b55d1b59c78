import { endpointOf } from "better-auth-tenants/src/endpoints/endpoints.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callerOf, foreignRequests, mixedRequests, ownRequest, withOtherSessions } from "./attackers.ts";
import { COMPANION_SURFACE } from "./companion-surface.ts";
import { createFurnished, type Furnished, type Step } from "./furnished.ts";
import { changedTables } from "./sweep.ts";

// only ends what hangs
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 });

describe("the surface of the companions", () => {
	const closing: (() => Promise<void>)[] = [];
	let it_: Furnished;
	let steps: Step[];
	beforeAll(async () => {
		it_ = await createFurnished({ companions: true, onFinished: (close) => closing.push(close) });
		steps = it_.steps.filter(({ path }) => path in COMPANION_SURFACE);
	});
	afterAll(async () => {
		for (const close of closing.reverse()) await close();
	});

	it("has a row of the right kind for every endpoint", () => {
		expect(steps.map(({ path }) => path).sort()).toEqual(Object.keys(COMPANION_SURFACE).sort());
		for (const { path, row } of steps) expect([path, endpointOf(path).kind]).toEqual([path, row.kind]);
	});

	// threat 111
	it("serves a tenant's own admin, and changes nothing outside of the tenant", async () => {
		const { sideA, sweep, problems, hintFor } = it_;
		const found: unknown[] = [];
		for (const { path, method, row } of steps) {
			const outcome = await sweep.send(path, {
				method,
				...ownRequest(row, sideA, method),
				browser: callerOf(sideA, row),
				hint: hintFor(row),
			});
			if (outcome.status !== 200) found.push([path, outcome.status, outcome.text]);
			found.push(...problems(outcome, row).map((problem) => [path, problem]));
		}
		expect(found).toEqual([]);
	});

	// threat 111
	it("reveals and changes nothing of another tenant or the platform, for any ids and addresses", async () => {
		const { sideA, sideB, platform, sweep, problems, hintFor } = it_;
		const found: unknown[] = [];
		let sent = 0;
		for (const { path, method, row } of steps) {
			const browser = withOtherSessions(row, callerOf(sideA, row), sideB.boss.browser);
			const foreign = foreignRequests(row, [sideB, platform], method);
			for (const { input } of [...foreign, ...mixedRequests(row, sideA, sideB, method)])
				for (const caller of [browser, undefined]) {
					const outcome = await sweep.send(path, { method, input, browser: caller, hint: hintFor(row) });
					sent += 1;
					if (outcome.status < 400 && !JSON.stringify(input).includes(sideA.tenantId ?? "platform"))
						found.push([path, input, outcome.status]);
					found.push(...problems(outcome, row).map((problem) => [path, input, problem]));
				}
		}
		expect(found).toEqual([]);
		expect(sent).toBeGreaterThan(steps.length * 4);
	});

	// threat 111
	it("is closed to an impersonated session", async () => {
		const { world, a, sideA, sweep } = it_;
		const inside = sideA.boss.browser.copy();
		const body = { tenantId: a, userId: sideA.boss.id, reason: "surface" };
		expect((await world.call("/tenant/impersonate", { browser: inside, body })).status).toBe(200);
		const found: unknown[] = [];
		for (const { path, method, row } of steps) {
			const outcome = await sweep.send(path, { method, ...ownRequest(row, sideA, method), browser: inside, hint: a });
			const changed = changedTables(outcome.before, outcome.after).filter((name) => name !== "session");
			found.push([outcome.status, outcome.code, changed]);
		}
		expect(found).toEqual(steps.map(() => [403, "IMPERSONATION_NOT_ALLOWED", []]));
	});
});
